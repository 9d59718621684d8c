/** The calls to the server's review routes, with the token of each gold table. */

import { pageClock } from "./clock.js";

const PATIENCE_MS = 20_000;
// The words of a scan are read while the person works: it is asked for them so often, and so long.
const WORDS_EVERY_MS = 700;
const WORDS_WITHIN_MS = 180_000;

/**
 * The JSON object of an answer. Rejects where the connection broke off in the middle of it, and where an answer that
 * agrees is not ours (as of a network that asks for a sign-in): nothing may be taken for stored on such a word.
 */
async function bodyOf(answer) {
  try {
    const body = await answer.json();
    if (typeof body === "object" && body !== null) return body;
  } catch (wrong) {
    if (!(wrong instanceof SyntaxError)) throw wrong;
  }
  if (answer.ok) throw new Error("The answer is not one of this server.");
  return {};
}

/**
 * `api` is the address of the server; tokens are learned from the page, from the tabs and from the queue.
 * `queue` is the filter of the queue that the person follows: the next table is the next one of it.
 */
export function createServer(api, queue = "") {
  const tokens = new Map();
  const prefetched = new Map(); // gold -> {at, answer}

  async function read(path, gold) {
    const headers = { Authorization: `Bearer ${tokens.get(gold)}` };
    const answer = await fetch(new URL(path, api), { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
    const body = await bodyOf(answer);
    if (!answer.ok) throw new Error(body.message ?? `The server answered ${answer.status}.`);
    return body;
  }

  const server = {
    resolve: (path) => new URL(path, api).href,
    learn: (gold, token) => token && tokens.set(gold, token),

    /** `{status, body}`; rejects without a connection. */
    async send(path, body, { patience = PATIENCE_MS, signal: cancelled = null } = {}) {
      const plain = JSON.stringify({ ...body, sent: pageClock.wall(), ...(path === "/api/verdict" && { queue }), token: tokens.get(body.gold) });
      const headers = { "Content-Type": "application/json" };
      const signal = AbortSignal.any([AbortSignal.timeout(patience), ...(cancelled ? [cancelled] : [])]);
      const answer = await fetch(new URL(path, api), { method: "POST", headers, body: plain, signal });
      return { status: answer.status, body: await bodyOf(answer) };
    },

    beacon(path, body) {
      const plain = JSON.stringify({ ...body, sent: pageClock.wall(), token: tokens.get(body.gold) });
      navigator.sendBeacon(new URL(path, api), new Blob([plain], { type: "application/json" }));
    },

    /** The table as it is now; `early` may give the answer that was fetched ahead. Asks for tokens of `waiting` tables. */
    async table(gold, { early = false, waiting = [] } = {}) {
      const ahead = prefetched.get(gold);
      prefetched.delete(gold);
      if (early && ahead && performance.now() - ahead.at < 60_000) {
        const answer = await ahead.answer;
        if (answer) return answer;
      }
      return read(`/api/table/${gold}?${new URLSearchParams({ queue, waiting })}`, gold);
    },

    /** Fetch the next table and its first page image while the person works on this one. */
    prefetch({ gold, token }) {
      server.learn(gold, token);
      const answer = read(`/api/table/${gold}?${new URLSearchParams({ queue })}`, gold).catch(() => null);
      prefetched.set(gold, { at: performance.now(), answer });
      answer.then((table) => {
        const page = table?.document.pages[0];
        if (page) new Image().src = server.resolve(page.image);
      });
    },

    /** The comment threads of a table as they are now. */
    async threads(gold) {
      return (await read(`/api/comments/${gold}`, gold)).threads;
    },
    /** A list of tables or cells, read with the token for lists. */
    list: (path) => read(path, 0),

    /** `{words, note}` of a page, as soon as they are read; `note` says why there are none. */
    async words(path, gold) {
      const until = performance.now() + WORDS_WITHIN_MS;
      for (;;) {
        const { words, note = "", reading = false } = await read(path, gold);
        if (!reading || performance.now() > until) return { words, note };
        await new Promise((done) => setTimeout(done, WORDS_EVERY_MS));
      }
    },
  };
  return server;
}
