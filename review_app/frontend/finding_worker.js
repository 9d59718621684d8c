/** Runs a regular expression of a person beside the screen, so that one that never ends can be ended. */

import { hitsOf } from "./finding.js";

onmessage = ({ data: { texts, query, replacement } }) => {
  try {
    postMessage({ hits: hitsOf(texts, query, replacement) });
  } catch (wrong) {
    postMessage({ wrong: wrong.message });
  }
};
