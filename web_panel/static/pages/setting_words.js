// What the settings are called on their page, in the words of a family. One that has none here is called as in the settings file.

import { t } from "../common/text.js";

/** @import { SettingTold } from "../common/types.js" */

/** @returns {Record<string, string>} */
const names = () => ({
  brightness: t("Brightness"),
  theme: t("Colours"),
  blink: t("Blinking lights"),
  idle_minutes: t("Dim after (minutes)"),
  sounds: t("Sounds on the phones"),
  speaker: t("The board speaks"),
  reactions: t("Claps and laughs on the phones"),
  take_back_asks_others: t("Ask before every take-back"),
  think_ahead: t("Thinks while you think"),
  backups: t("Backup after each evening"),
  turned: t("Board shown from the other side"),
  language: t("Language"),
  house: t("Tell the house"),
  house_name: t("Board's name"),
  settle_ms: t("A move counts after (ms)"),
  hold_ms: t("A lifted piece that is put back counts as held after (ms)"),
  max_milliamps: t("Current limit (mA)"),
  house_broker: t("Broker of the house"),
  house_user: t("User at the broker"),
  house_password: t("Password at the broker"),
  metrics: t("Figures for programs of the house"),
});

// The name made of that in the settings file, with its unit.
/** @param {string} name */
function plain(name) {
  const [, bare, unit] = /** @type {RegExpExecArray} */ (/^(.*?)(?:_(ms|minutes|milliamps))?$/.exec(name));
  return t(bare.replaceAll("_", " ")) + (unit === "ms" ? " (ms)" : "");
}

/** @param {string} name */
export const nameOf = (name) => names()[name] ?? plain(name);

// The line of help, here without what only the settings file can say.
/** @param {SettingTold} field */
export const helpOf = ({ name, help }) => (name === "language" ? t("Language of the pages, where a phone has not chosen its own.") : t(help));

// All by which the row of a setting is found: its words, and its name in the settings file.
/** @param {HTMLElement} row */
export const searched = (row) => `${row.textContent} ${row.id.startsWith("row-") ? plain(row.id.slice(4)) : ""}`;
