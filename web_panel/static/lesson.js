// A lesson on the phone: the sentence of the step that is on, Next where it is only read, and Learn beside Start.

import { make } from "./board.js";

const find = (selector) => document.querySelector(selector);

export class Lesson {
  // `order` sends an order and tells the person what was refused; `ask` throws that instead.
  constructor({ order, ask }) {
    this.ask = ask;
    this.count = make("small");
    this.sentence = make("p");
    this.sentence.setAttribute("aria-live", "polite");
    this.next = make("button", { type: "button", className: "primary", textContent: "Next", onclick: () => order({ do: "next_step" }) });
    this.box = make("div", { id: "lesson", hidden: true }, this.count, this.sentence, this.next);
    this.box.setAttribute("role", "group");
    this.box.setAttribute("aria-label", "Lesson");
    find("#advice").before(this.box);
    find("#start").before(make("button", { id: "learn", type: "button", textContent: "Learn it", onclick: () => this.#learn() }));
  }

  show({ lesson }) {
    this.box.hidden = !lesson;
    if (!lesson) return;
    this.count.textContent = lesson.over ? "" : `Step ${lesson.step} of ${lesson.steps}`;
    if (this.sentence.textContent !== lesson.sentence) this.sentence.textContent = lesson.sentence;
    this.next.hidden = !lesson.next;
  }

  async #learn() {
    find("#refusal").textContent = "";
    try {
      await this.ask("order", { do: "start_lesson", game: find("#game").value });
      find("#dialog").close();
    } catch (error) {
      find("#refusal").textContent = error.message;
    }
  }
}
