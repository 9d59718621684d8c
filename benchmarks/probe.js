// Measures in the page, from the time stamp of a key press: until the answer of the server, and until the frames
// that show its effects are painted. `probe.arm({key, shows: {condition: what}})`, then the key, then
// `await probe.result()`: milliseconds for each condition, and `durable` for an edit.
(() => {
  const { fetch: send } = window;
  let armed = null;
  let start = null;
  let shown = null;
  let answered = null;

  const deep = (selector, root = document) => {
    const here = root.querySelector(selector);
    if (here) return here;
    for (const one of root.querySelectorAll("*")) {
      const inner = one.shadowRoot && deep(selector, one.shadowRoot);
      if (inner) return inner;
    }
    return null;
  };

  // A message sent while a frame is made is heard after that frame was painted.
  const afterPaint = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(0);
    });
  const frame = () => new Promise(requestAnimationFrame);

  async function painted(shows) {
    for (;;) {
      await frame();
      if (await shows()) return afterPaint();
    }
  }

  const conditions = {
    cell: ({ row, col, text }) => deep(`td[data-row='${row}'][data-col='${col}'], th[data-row='${row}'][data-col='${col}']`, home())?.textContent.includes(text),
    table: ({ not }) => {
      const text = deep("[data-row='1'][data-col='0']", home())?.textContent;
      return Boolean(text) && !text.includes(not);
    },
    image: async ({ not = "" }) => {
      const image = deep(".leaf img", home());
      if (!image || !image.complete || !image.naturalWidth || image.src === not) return false;
      await image.decode();
      await frame();
      return true;
    },
  };

  // Looking through all shadow roots takes longer than a frame may: the root of the grid is remembered.
  let root = null;
  const home = () => {
    if (!root?.host?.isConnected) root = deep("[role=grid]")?.getRootNode() ?? null;
    return root ?? document;
  };

  window.addEventListener("keydown", (event) => {
    if (!armed || event.key !== armed.key || start !== null) return;
    start = event.timeStamp;
    shown = Object.entries(armed.shows).map(async ([name, what]) => [name, await painted(() => conditions[name](what))]);
  }, { capture: true });

  window.fetch = async (...sent) => {
    const answer = await send(...sent);
    const path = new URL(sent[0], location.href).pathname;
    if (start === null || path !== "/api/edits") return answer;
    const json = answer.json.bind(answer);
    answer.json = async () => {
      const body = await json();
      answered?.(answer.status === 200 ? performance.now() : NaN);
      return body;
    };
    return answer;
  };

  window.probe = {
    deep,
    arm(what) {
      home();
      armed = what;
      start = shown = null;
      this.durable = new Promise((resolve) => (answered = resolve));
    },
    async result() {
      const found = Object.fromEntries((await Promise.all(shown)).map(([name, at]) => [name, at - start]));
      if (armed.shows.cell) found.durable = (await this.durable) - start;
      armed = null;
      return found;
    },
    // From the navigation of this document on.
    opened: () => painted(() => conditions.image({})),
  };
})();
