// How a friend's phone comes to the table: the picture that it scans, and the address that can be typed there.

import { letIn, reached } from "../common/let_in.js";
import { button, make } from "../common/dom.js";
import { t } from "../common/text.js";

// Shows the sheet; `open(title, ...parts)` shows one, which `stay()` keeps while others move.
/** @param {{ open: (title: string, ...parts: Node[]) => void, stay: () => void }} tools */
export async function openFriend(tools) {
  const address = (await reached())?.address;
  tools.open(t("A friend joins"), ...(address ? wayIn(address) : toLetIn(tools)));
  tools.stay();
}

/** @param {string} address */
function wayIn(address) {
  const picture = make("img", { src: "/join.svg", alt: t("QR code of {address}", { address }), width: 232, height: 232 });
  return [make("div", { className: "way-in" }, picture, make("div", {},
    make("p", { textContent: t("Scan this with the other phone: it joins, and is asked which side it plays.") }),
    make("p", {}, t("Or open this address there:"), " ", make("code", { className: "address", textContent: address })),
    make("p", { className: "note" }, t("The phone has to be in the same Wi-Fi: mobile data or a guest network does not lead here. From elsewhere it plays by a link:"), " ",
      make("a", { href: "/afar", textContent: t("Another board") }))))];
}

// Where only this computer can open the board, it is let others in first.
/** @param {Parameters<typeof openFriend>[0]} tools */
function toLetIn(tools) {
  const said = make("p", { textContent: t("Only this computer can open the board at the moment. Let phones in first: the board starts again for that, and the game stays.") });
  said.setAttribute("role", "status");
  const let_in = button(t("Let phones in"), async () => {
    let_in.disabled = true;
    if (await letIn(true, (sentence) => (said.textContent = sentence))) await openFriend(tools);
    else let_in.disabled = false;
  }, { className: "primary" });
  return [said, make("div", { className: "choices" }, let_in)];
}
