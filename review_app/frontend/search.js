/** Finds texts at once, or, by a regular expression, in a worker that is ended when it takes too long. */

import { hitsOf } from "./finding.js";

const PATIENCE_MS = 1000;

/** `find(texts, query, replacement)` resolves to `{hits}` or `{wrong}` in words; null when a later call overtook it. */
export function createSearch() {
  let worker = null;
  let turn = 0;

  function end() {
    worker?.terminate();
    worker = null;
  }

  return {
    async find(texts, query, replacement) {
      const mine = (turn += 1);
      if (!query.regex) return { hits: hitsOf(texts, query, replacement) };
      end();
      worker = new Worker(new URL("finding_worker.js", import.meta.url), { type: "module" });
      const answer = new Promise((resolve) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = () => resolve({ wrong: "This browser cannot run the expression." });
        setTimeout(() => resolve({ wrong: "This expression takes too long on this table: make it simpler." }), PATIENCE_MS);
      });
      worker.postMessage({ texts, query, replacement });
      const found = await answer;
      if (mine !== turn) return null;
      end();
      return found.wrong ? { wrong: found.wrong.replace(/^Invalid regular expression: (\/.*\/[a-z]*: )?/s, "The expression cannot be read: ") } : found;
    },
    end,
  };
}
