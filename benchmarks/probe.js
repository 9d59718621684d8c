// Measures in the page, from the time stamp of a key press: until the answer of the server, and until the frames
// that show its effects are painted. `probe.arm({key, shows: {condition: what}})`, then the key, then
// `await probe.result()`: milliseconds for each condition, `durable` for an edit, and `answer`, the share of it
// between request and answer. A table is opened from the time on at which its answer arrives.
(() => {
  const { fetch: send } = window;
  let armed = null;
  let start = null;
  let shown = null;
  let answered = null;
  let arrived = null; // when the first bytes of a table came

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
    opened: ({ gold }) => Boolean(deep(`[role=tab][aria-selected=true][data-gold="${gold}"]`, home()) && deep("[data-row='1']", home())),
    selected: ({ row, col }) => home().activeElement?.dataset.row === String(row) && home().activeElement.dataset.col === String(col),
    typed: ({ text }) => home().activeElement?.value === text,
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
    const asked = performance.now();
    const answer = await send(...sent);
    const path = new URL(sent[0], location.href).pathname;
    if (path.startsWith("/api/table/") && arrived === null) arrived = performance.now();
    if (start === null || path !== "/api/edits") return answer;
    const json = answer.json.bind(answer);
    answer.json = async () => {
      const body = await json();
      answered?.(answer.status === 200 ? [performance.now(), asked] : [NaN, NaN]);
      return body;
    };
    return answer;
  };

  window.probe = {
    deep,
    arm(what) {
      home();
      armed = what;
      start = shown = arrived = null;
      this.durable = new Promise((resolve) => (answered = resolve));
    },
    async result() {
      const found = Object.fromEntries((await Promise.all(shown)).map(([name, at]) => [name, at - start]));
      if (armed.shows.cell) {
        const [read, asked] = await this.durable;
        Object.assign(found, { durable: read - start, answer: read - asked });
      }
      if (armed.shows.opened) found.drawn = found.opened + start - arrived;
      armed = null;
      return found;
    },
    // From the navigation of this document on.
    opened: () => painted(() => conditions.image({})),
  };
})();
