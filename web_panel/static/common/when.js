// When something was, in this phone's place and the language of the page.

const DAY_MS = 86_400_000;

// A date and a time in UTC as the board keeps them; as it is kept where that is no time.
/** @param {string} kept @param {"medium" | "long"} dateStyle */
export function when(kept, dateStyle) {
  const day = read(kept);
  return Number.isNaN(day.getTime()) ? kept : day.toLocaleString([], { dateStyle, timeStyle: "short" });
}

// The same, but "today" and "yesterday" by these names.
/** @param {string} kept */
export function lately(kept) {
  const day = read(kept), days = Math.round((midnight(day) - midnight(new Date())) / DAY_MS);
  if (!(Math.abs(days) < 2)) return when(kept, "medium");
  const named = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" }).format(days, "day");
  return `${named}, ${day.toLocaleTimeString([], { timeStyle: "short" })}`;
}

/** @param {string} kept */
export const read = (kept) => new Date(`${kept.replace(" ", "T")}Z`);

/** @param {Date} day */
const midnight = (day) => new Date(day).setHours(0, 0, 0, 0);
