// A page that does not watch the table says every few seconds, while it is seen, that its phone is here: else the others would read that
// it is away. Nobody waits for a guest's.

const EVERY_MS = 4000;
const SAID = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };

async function say() {
  const status = document.hidden ? 0 : await fetch("/api/here", SAID).then((answer) => answer.status, () => 0);
  if (status !== 403) setTimeout(say, EVERY_MS);
}

setTimeout(say, EVERY_MS);
