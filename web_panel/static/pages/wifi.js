// The page of the board's Wi-Fi: what is in reach, one to be joined, and what became of that.

import { ask, askOrTell, messageOf } from "../common/api.js";
import { $, make, setText, svg } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { NetworkFound, NetworkTold } from "../common/types.js" */

const LOOK_MS = 3000, QUIET_MS = 10_000, BARS = 4;
/** @type {ReturnType<typeof setTimeout>} */
let timer;
/** @type {NetworkFound | null} */
let chosen = null;
/** @type {NetworkTold | null} */
let last = null;
let leaving = ""; // what is to be done once the board has left the Wi-Fi of this phone

// ---- what is in reach ----

/** @param {number} strength in percent */
function bars(strength) {
  const number = Math.ceil((strength / 100) * BARS);
  const drawn = Array.from({ length: BARS }, (_, index) =>
    svg("rect", { x: 2 + 8 * index, y: 18 - 5 * index, width: 5, height: 6 + 5 * index, rx: 1, class: index < number ? "" : "weak" }));
  return svg("svg", { viewBox: "0 0 34 24", "aria-hidden": "true" }, ...drawn);
}

/** @param {NetworkFound} network */
function noteOf({ strength, security, known }) {
  const kind = { open: t("open"), password: t("with a password"), unsuitable: t("not for this board") }[security];
  if (!strength) return t("known, out of reach");
  return known ? t("known, {strength}%", { strength }) : t("{kind}, {strength}%", { kind, strength });
}

/** @param {NetworkFound} network */
function row(network) {
  const shown = make("button", { type: "button", onclick: () => choose(network) },
    make("b", { textContent: network.name, dir: "auto" }), make("small", { textContent: noteOf(network) }), bars(network.strength));
  return make("li", {}, shown);
}

/** @param {NetworkTold} told */
function nowOf({ state, name, asked, own }) {
  switch (state) {
    case "cable": return t("The board is connected by a cable.");
    case "wifi": return t("The board is in the Wi-Fi “{name}”.", { name });
    case "hotspot": return t("The board is in no network of the home. Its own Wi-Fi “{own}” is open.", { own });
    case "joining": return joiningOf(asked);
    default: return t("The board is in no network. After a minute it opens a Wi-Fi of its own.");
  }
}

/** @param {string} asked */
function joiningOf(asked) {
  const told = t("The board is joining “{asked}”: this takes up to a minute.", { asked });
  return leaving ? `${told} ${leaving}` : told;
}

/** @param {NetworkTold} told */
function show(told) {
  last = told;
  if (told.state !== "joining") leaving = "";
  setText($("now"), nowOf(told));
  setText($("wrong"), told.wrong);
  const known = JSON.stringify(told.networks);
  if ($("networks").dataset.known !== known) {
    $("networks").dataset.known = known; // else whoever is about to press a button would lose it
    $("networks").replaceChildren(...told.networks.map(row));
  }
  $("none").hidden = told.networks.length > 0;
  $("choose").hidden = !told.radio || !$("join").hidden || told.state === "joining";
  if (document.getElementById("own")) {
    $("own").hidden = !told.radio;
    setText($("own-told"), t("Name: {own} · Password: {password}", { own: told.own, password: told.password }));
  }
}

async function refresh() {
  clearTimeout(timer);
  try {
    show(await ask("network"));
  } catch (error) {
    // The board has left the Wi-Fi of this phone: what is to be done was said before, and stays.
    if (!leaving) setText($("wrong"), messageOf(error));
  }
  timer = setTimeout(refresh, leaving || last?.state === "joining" ? LOOK_MS : QUIET_MS);
}

// ---- one to be joined ----

/** @param {NetworkFound | null} network null for one whose name is typed */
function choose(network) {
  chosen = network;
  const security = network?.security ?? "password";
  setText($("join-title"), network ? network.name : t("Another Wi-Fi"));
  $("name-label").hidden = Boolean(network);
  $("password-label").hidden = security === "open";
  $("password").setAttribute("placeholder", network?.known ? t("as it is known") : "");
  $("forget").hidden = !network?.known;
  $("then").textContent = thenOf(network?.name);
  $("join").hidden = false;
  $("choose").hidden = true;
  (network ? (security === "open" ? $("join-title") : $("password")) : $("name")).focus();
}

// What happens to this phone when the board leaves the Wi-Fi that it is in.
/** @param {string} [name] */
function thenOf(name) {
  if (!last || last.state !== "hotspot") return "";
  const { own, later } = last;
  const there = name ? t("Then connect this phone to “{name}” as well, and open {later}.", { name, later }) : t("Then connect this phone to it as well, and open {later}.", { later });
  const back = t("If it fails, “{own}” is back within a minute: join it again to see why.", { own });
  return `${there} ${back}`;
}

function close() {
  $("join").hidden = true;
  $("password").value = $("name").value = "";
  $("choose").hidden = !last?.radio;
}

/** @param {string} act @param {object} body */
async function act(act, body) {
  setText($("wrong"), "");
  return Boolean(await askOrTell(`network/${act}`, body, (wrong) => setText($("wrong"), wrong)));
}

$("join").onsubmit = async (event) => {
  event.preventDefault();
  const name = chosen ? chosen.name : $("name").value;
  const told = thenOf(name);
  if (await act("join", { id: chosen?.id ?? "", name, password: $("password").value, hidden: !chosen })) {
    close();
    $("choose").hidden = true;
    leaving = told;
    setText($("now"), joiningOf(name));
    clearTimeout(timer);
    timer = setTimeout(refresh, LOOK_MS);
  }
};
$("show").onchange = () => $("password").setAttribute("type", $("show").checked ? "text" : "password");
$("cancel").onclick = close;
$("other").onclick = () => choose(null);
$("forget").onclick = async () => {
  if (chosen && (await act("forget", { id: chosen.id }))) close();
  await refresh();
};
$("listen").onclick = async () => {
  $("listen").disabled = true;
  if (await act("search", {})) await new Promise((done) => setTimeout(done, LOOK_MS)); // the radio listens so long
  await refresh();
  $("listen").disabled = false;
};
if (document.getElementById("stay")) {
  $("stay").onclick = async () => {
    if (await act("stay", {})) location.href = "/";
  };
}
refresh();
