// The dialog for a new game: a form made from what the games say about their options.

import { t } from "./board.js";

const find = (dialog, id) => dialog.querySelector(`#${id}`);

// Opens the dialog; `submit(order)` resolves once the game has begun, or throws an Error with a sentence.
export function openDialog(dialog, games, current, submit) {
  const select = find(dialog, "game");
  select.replaceChildren(...games.map(({ name, title }) => new Option(title, name, false, name === current)));
  const chosen = () => games.find((game) => game.name === select.value);
  select.onchange = () => showGame(dialog, chosen());
  find(dialog, "cancel").onclick = () => dialog.close();
  dialog.querySelector("form").onsubmit = async (event) => {
    event.preventDefault();
    find(dialog, "refusal").textContent = "";
    try {
      await submit({ do: "new_game", game: select.value, options: read(dialog, chosen().options) });
      dialog.close();
    } catch (error) {
      find(dialog, "refusal").textContent = error.message;
    }
  };
  showGame(dialog, chosen());
  dialog.showModal();
}

function showGame(dialog, game) {
  find(dialog, "blurb").textContent = game ? `${game.blurb} ${t("About {minutes} minutes. Players: {players}.", { minutes: game.minutes, players: game.seats.join(", ") })}` : "";
  find(dialog, "refusal").textContent = "";
  find(dialog, "start").disabled = !game;
  find(dialog, "options").replaceChildren(...(game?.options ?? []).map(field));
}

function field(option) {
  const label = Object.assign(document.createElement("label"), { className: `field ${option.kind}` });
  const name = Object.assign(document.createElement("span"), { textContent: option.name.replaceAll("_", " ") });
  const help = Object.assign(document.createElement("small"), { textContent: [option.help, bounds(option)].filter(Boolean).join("; ") });
  label.append(name, control(option), help);
  return label;
}

function bounds({ kind, low, high }) {
  if (kind !== "int") return "";
  if (low !== null && high !== null) return t("{low} to {high}", { low, high });
  return low !== null ? t("at least {low}", { low }) : high !== null ? t("at most {high}", { high }) : "";
}

function control({ name, kind, default: usual, choices, low, high }) {
  if (kind === "choice") {
    const select = Object.assign(document.createElement("select"), { name });
    select.append(...choices.map((choice, n) => new Option(String(choice).replaceAll("_", " "), n, false, choice === usual)));
    return select;
  }
  const input = Object.assign(document.createElement("input"), { name, type: { int: "number", bool: "checkbox" }[kind] ?? "text" });
  if (kind === "bool") input.checked = usual;
  else input.value = usual;
  if (kind !== "int") return input;
  Object.assign(input, { required: true, step: 1, min: low ?? "", max: high ?? "" });
  return input;
}

function read(dialog, options) {
  const controls = find(dialog, "options");
  return Object.fromEntries(options.map(({ name, kind, choices }) => {
    const input = controls.querySelector(`[name="${CSS.escape(name)}"]`);
    if (kind === "bool") return [name, input.checked];
    if (kind === "int") return [name, Number(input.value)];
    return [name, kind === "choice" ? choices[Number(input.value)] : input.value];
  }));
}
