// The page that the board cannot be reached stands in the place of another one, and gives way to that once the board answers.

const AGAIN_MS = 3000;
const BROKEN = 500; // what a way to the board answers from here on, in place of the board

async function tries() {
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer && answer.status < BROKEN) location.reload();
}

// At its own address it is in nobody's place.
if (location.pathname !== "/offline") {
  setInterval(tries, AGAIN_MS);
  addEventListener("online", tries);
}
