/** Adjudication: the page first, then what was read of it, without names; one key decides, all by keyboard. */

import { pageClock } from "./clock.js";
import { h, write } from "./dom.js";
import { newId } from "./outbox.js";
import { createServer } from "./server.js";
import { createTimer } from "./timer.js";

const AROUND = 0.06; // of the page's height, above and below what is asked
const WIDE = 0.75; // of the page's width, where what is asked is not wider
const DPI = 150;
const WORDS = "Space shows the answers · 1–3 choose · E types your own · arrows move · Ctrl+Enter makes gold";
const TOKEN = 0; // the token for lists

function createAdjudication(root) {
  let server = null;
  let component = null;
  let found = null; // {pass, name, document, items}
  let at = 0;
  let looked = new Set(); // items whose answers are shown
  let sending = false;
  const timer = createTimer(pageClock.now());
  const stop = new AbortController();

  const title = h("h2", {});
  const progress = h("span", { class: "adj-progress", role: "status", "data-testid": "adj-progress" });
  const page = h("div", { class: "adj-page", "data-testid": "adj-page" });
  const question = h("h3", { "data-testid": "adj-question", dir: "auto" });
  const hint = h("p", { class: "adj-hint" });
  const answers = h("div", { class: "adj-answers", role: "group", "aria-label": "Answers" });
  const own = h("input", { type: "text", dir: "auto", "aria-label": "Your own reading", placeholder: "Your own reading  ( E )", onkeydown: typed });
  const told = h("p", { class: "adj-told", role: "status", "data-testid": "adj-told" });
  const list = h("ol", { class: "adj-list", "aria-label": "What the two differ in" });
  const finish = h("button", { class: "primary", "data-testid": "adj-finish", onclick: () => done() }, "Make gold of it", h("kbd", {}, "Ctrl+Enter"));
  const frame = h("div", { class: "adj", tabindex: "-1", "data-testid": "adjudication", onkeydown: pressed },
    h("header", {}, title, progress),
    h("div", { class: "adj-panes" }, page, h("section", { "aria-label": "Decision" }, question, hint, answers, own, told, finish, list)),
    h("div", { class: "adj-keys" }, WORDS));
  const style = h("link", { rel: "stylesheet", href: new URL("adjudicate.css", import.meta.url).href });
  root.replaceChildren(style, frame);
  for (const type of ["keydown", "pointerdown", "pointermove", "wheel"]) addEventListener(type, () => timer.input(pageClock.now()), { capture: true, passive: true, signal: stop.signal });
  const attend = () => timer.run(pageClock.now(), document.visibilityState === "visible" && document.hasFocus());
  for (const [target, type] of [[document, "visibilitychange"], [window, "focus"], [window, "blur"]]) target.addEventListener(type, attend, { signal: stop.signal });
  attend();

  const item = () => found.items[at];
  const open = () => found.items.filter(({ decided }) => !decided).length;

  async function load(pass) {
    try {
      found = await server.list(`/api/adjudication?pass=${pass}`);
    } catch (wrong) {
      return write(told, wrong.message);
    }
    looked = new Set();
    at = Math.max(0, found.items.findIndex(({ decided }) => !decided));
    timer.drain(pageClock.now());
    draw();
    return frame.focus({ preventScroll: true });
  }

  // --- drawing -------------------------------------------------------------------------------------------------

  function draw() {
    write(title, `${found.document.name} · ${found.name}`);
    write(progress, found.items.length ? `${found.items.length - open()} of ${found.items.length} decided` : "The two keyings agree in everything.");
    finish.disabled = open() > 0;
    list.replaceChildren(...found.items.map((one, index) =>
      h("li", {}, h("button", { "aria-current": String(index === at), tabindex: "-1", onclick: () => go(index) }, h("span", { "aria-label": one.decided ? "decided" : "open" }, one.decided ? "✓" : "○"), h("bdi", {}, one.where), one.decided ? h("bdi", { class: "adj-value" }, one.decided.value || "empty") : null))));
    list.querySelector("[aria-current='true']")?.scrollIntoView({ block: "nearest" });
    const here = item();
    question.hidden = answers.hidden = own.hidden = !here;
    if (!here) return write(hint, "Nothing is left to ask. Ctrl+Enter accepts the table as the first person keyed it.");
    const shown = looked.has(here.id) || Boolean(here.decided);
    write(question, here.where);
    write(hint, shown ? "Which one stands on the page?" : here.typed ? "Read the page first. Then press Space for the answers, or type what you read." : "Look at the page first. Then press Space for the answers.");
    own.hidden = !here.typed;
    own.value = here.decided?.own ? here.decided.value : "";
    answers.replaceChildren(...(shown ? here.answers.map((text, index) =>
      h("button", { "aria-pressed": String(Boolean(here.decided) && !here.decided.own && here.decided.value === text), onclick: () => decide({ answer: index }) }, h("kbd", {}, `${index + 1}`), h("bdi", {}, text || "empty"))) : [h("button", { "data-testid": "adj-look", onclick: look }, h("kbd", {}, "Space"), "Show the answers")]));
    return drawPage(here);
  }

  function drawPage({ box }) {
    const { pages, sha256 } = found.document;
    if (!box) return page.replaceChildren(...pages.map(({ number, image }) => h("img", { src: server.resolve(image), alt: `Page ${number}` })));
    const [number, x0, y0, x1, y1] = box;
    const [top, bottom] = [Math.max(0, y0 - AROUND), Math.min(1, y1 + AROUND)];
    const width = Math.min(1, Math.max(WIDE, x1 - x0 + AROUND));
    const left = Math.max(0, Math.min(1 - width, (x0 + x1 - width) / 2));
    const part = [left, top, left + width, bottom].map((side) => side.toFixed(5)).join(",");
    const percent = (share) => `${100 * share}%`;
    const mark = h("div", { class: "adj-mark" });
    Object.assign(mark.style, { left: percent((x0 - left) / width), width: percent((x1 - x0) / width), top: percent((y0 - top) / (bottom - top)), height: percent((y1 - y0) / (bottom - top)) });
    return page.replaceChildren(h("div", { class: "adj-crop" }, h("img", { src: server.resolve(`/api/crop/${sha256}/${number}@${DPI}/${part}.webp`), alt: `Part of page ${number}` }), mark), h("p", { class: "adj-hint" }, `Page ${number}`));
  }

  // --- what the person does ------------------------------------------------------------------------------------

  function go(index) {
    at = Math.max(0, Math.min(found.items.length - 1, index));
    write(told, "");
    draw();
    frame.focus({ preventScroll: true });
  }

  function look() {
    looked.add(item().id);
    draw();
    frame.focus({ preventScroll: true });
  }

  async function send(body) {
    if (sending) return null;
    sending = true;
    const answer = await server.send("/api/adjudication", { gold: TOKEN, pass: found.pass, ...body }).catch(() => null);
    sending = false;
    if (answer?.status === 200) return answer.body;
    write(told, answer?.body.message ?? "Not saved: the server does not answer. Choose again in a moment.");
    return null;
  }

  async function decide(choice) {
    const here = item();
    const active_ms = timer.drain(pageClock.now()).active_ms;
    const made = await send({ item: here.id, id: newId(), active_ms, ...choice });
    if (!made) return;
    here.decided = { value: made.value, own: choice.answer === undefined && !here.answers.includes(made.value) };
    const next = found.items.findIndex(({ decided }, index) => !decided && index > at);
    const first = found.items.findIndex(({ decided }) => !decided);
    if (next >= 0 || first >= 0) go(next >= 0 ? next : first);
    else go(at), write(told, "All is decided. Ctrl+Enter makes gold of it.");
  }

  async function done() {
    if (open()) return write(told, `${open()} of ${found.items.length} are still to decide.`);
    if (await send({ finish: true })) component.setTriggerValue("done", { pass: found.pass });
    return undefined;
  }

  function typed(event) {
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (own.value.trim()) decide({ own: own.value });
      else write(told, "Type what stands on the page, or press Esc.");
    } else if (event.key === "Escape") {
      frame.focus({ preventScroll: true });
    } else if (!((event.ctrlKey || event.metaKey) && event.key === "Enter")) {
      return;
    } else {
      done();
    }
    event.stopPropagation();
  }

  function pressed(event) {
    event.stopPropagation(); // Streamlit has shortcuts of its own on the page
    if (!found || event.target === own || event.altKey) return;
    const here = item();
    const shown = here && (looked.has(here.id) || here.decided);
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") done();
    else if (event.ctrlKey || event.metaKey) return;
    else if (event.key === "ArrowDown" || event.key === "ArrowRight") go(at + 1);
    else if (event.key === "ArrowUp" || event.key === "ArrowLeft") go(at - 1);
    else if (event.key === " " && here) look();
    else if (event.key.toLowerCase() === "e" && here?.typed) own.focus();
    else if (shown && here.answers[Number(event.key) - 1] !== undefined) decide({ answer: Number(event.key) - 1 });
    else return;
    event.preventDefault();
  }

  return {
    /** Called at each drawing by Streamlit. */
    show(next) {
      component = next;
      server ??= createServer(next.data.api);
      server.learn(TOKEN, next.data.token);
      if (found?.pass !== next.data.pass) load(next.data.pass);
    },
    close: () => stop.abort(),
  };
}

const shown = new WeakMap();

/** Called by Streamlit at the first drawing and on each change of the data. */
export default function mount(component) {
  const root = component.parentElement.querySelector(".proofgrid") ?? component.parentElement;
  if (!shown.has(root)) shown.set(root, createAdjudication(root));
  shown.get(root).show(component);
  return () => {
    shown.get(root)?.close();
    shown.delete(root);
  };
}
