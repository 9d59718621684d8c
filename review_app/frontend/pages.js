/** A document without tables: its pages, on which a person draws where a table is. */

import { createDrawing } from "./drawing.js";
import { fillWindow } from "./frame.js";
import { h } from "./dom.js";
import { commandOf, labelKeys, loadKeys } from "./keymap.js";
import { drawer, storageOfPage } from "./outbox.js";
import { createPage } from "./page.js";
import { createPanels } from "./panels.js";
import { createServer } from "./server.js";

const LISTS = 0; // the token for lists is of this table, which there is not
const STYLES = ["review.css", "panels.css", "page.css", "editing.css"];
const mounted = new WeakMap();

/** Called by Streamlit at the first drawing and on each change of `data`; the result is called when it unmounts. */
export default function mount({ data, parentElement, setTriggerValue }) {
  let pages = mounted.get(parentElement);
  if (!pages) {
    const host = parentElement.querySelector(".proofgrid") ?? parentElement;
    pages = createPages(host, data, (table) => setTriggerValue("open", table));
    mounted.set(parentElement, pages);
    let left = STYLES.length;
    const styled = () => (left -= 1) || pages.start();
    host.prepend(...STYLES.map((name) => Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL(name, import.meta.url).href, onload: styled })));
  }
  pages.update(data);
  return () => {
    mounted.get(parentElement)?.close();
    mounted.delete(parentElement);
  };
}

function createPages(host, data, opened) {
  const stop = new AbortController();
  const { signal } = stop;
  const storage = storageOfPage();
  const server = createServer(data.api);
  loadKeys(storage, data.person);
  const page = createPage({ onPick: () => {}, onTake: null, wordsOf: null, onMode: () => {}, say: (text) => (told.textContent = text), onTurn: () => {}, onRegion: (...region) => drawing.read(...region), onDrawn: () => page.scroller.focus(), habits: drawer(storage, "habit", data.person) });
  const told = h("span", { class: "told", role: "status", "data-testid": "message" });
  const top = h("div", { class: "bar top" }, h("span", { class: "document" }, data.document.name), h("span", { class: "muted" }, "No table yet: draw where one is."), told);
  const element = h("div", { class: "review pages-only" }, top, page.element);
  const panels = createPanels(element, () => page.scroller.focus());
  const drawing = createDrawing({ send: server.send, panels, at: () => ({ gold: LISTS, document: data.document.id }), desk: () => null, open: ({ gold }) => opened({ gold }), leave: () => page.box(false) });
  const fit = () => (fillWindow(element), page.resized());

  host.append(element);
  labelKeys(element);
  element.addEventListener("keydown", (event) => {
    if (panels.open) return;
    const command = page.commands[commandOf(event)?.id];
    if (page.key(event)) event.stopPropagation();
    else if (command) command();
    else return;
    event.preventDefault();
  }, { signal });
  addEventListener("resize", fit, { signal });

  return {
    /** The styles are there, so that the page can be laid out. */
    start() {
      fit();
      page.open(data.document, server.resolve, drawer(storage, "turn", data.person, data.document.sha256));
      page.fit("page");
      page.box(true);
      page.scroller.focus();
    },
    update: ({ token }) => server.learn(LISTS, token),
    close() {
      page.box(false);
      stop.abort();
      element.remove();
    },
  };
}
