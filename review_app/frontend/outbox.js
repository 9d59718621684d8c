/** Edits, comments and activity kept in the browser's storage until the server has them, sent one batch at a time. */

const LARGEST_BATCH = 100;
const SLOWEST_RETRY_MS = 30_000;
const BEACON_LIMIT = 60_000;

/** A new UUID; also where the page is not served securely and `crypto.randomUUID` is missing. */
export function newId() {
  if (globalThis.crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** A drawer of the storage: values under one prefix, each under a key of its own, so that tabs do not overwrite. */
export function drawer(storage, ...names) {
  const prefix = ["proofgrid", ...names, ""].map(encodeURIComponent).join("/");
  const keys = () => {
    const all = Array.from({ length: storage.length }, (_, index) => storage.key(index));
    return all.filter((key) => key?.startsWith(prefix)).sort();
  };
  return {
    /** False where the storage refuses, as when it is full. */
    put(name, value) {
      try {
        storage.setItem(prefix + name, JSON.stringify(value));
        return true;
      } catch {
        return false;
      }
    },
    get: (name) => read(storage.getItem(prefix + name)),
    drop: (name) => storage.removeItem(prefix + name),
    /** Calls `changed()` when another tab puts something here or drops it, until `signal` ends it. */
    watch: (changed, signal) => addEventListener("storage", ({ key }) => (key === null || key.startsWith(prefix)) && changed(), { signal }),
    all: () => keys().map((key) => [key.slice(prefix.length), read(storage.getItem(key))]).filter(([, value]) => value),
  };
}

function read(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null; // not written by us, or cut off: there is nothing in it to save
  }
}

/** The gold tables, by number, of which this person's outboxes still hold something. */
export function waitingTables(storage, person) {
  const names = drawer(storage, "outbox", person).all().map(([name]) => Number(name.split("/")[0]));
  return [...new Set(names)].filter(Number.isInteger);
}

/** The browser's storage; where it is switched off, one that refuses, so that the person is told. */
export function storageOfPage() {
  try {
    localStorage.getItem("");
    return localStorage;
  } catch {
    const refuse = () => { throw new Error("This browser keeps nothing."); };
    return { length: 0, key: () => null, getItem: () => null, setItem: refuse, removeItem: () => undefined };
  }
}

/**
 * The outbox of one person and one gold table.
 * `tab` is the one that it stands in (tabs.js). `send(path, body)` resolves to `{status, body}` and rejects without a connection; `beacon(path, body)` is best effort.
 * `onAck(answer)`, `onMet(seeded)` (cells that showed a planted error: the table has to be read anew), `onRefused(answer)`, `onSaid(answer)`, `onUnsaid(comments, answer)` and `onState()` tell what happened.
 * `state()` is "saved", "saving", "offline", "expired" or "refused"; `kept()` is false where the storage refused an entry.
 */
export function createOutbox({ storage, person, gold, tab, send, beacon, onAck, onMet = () => undefined, onRefused, onSaid, onUnsaid, onState }) {
  const waiting = drawer(storage, "outbox", person, gold);
  const refusedOnes = drawer(storage, "refused", person, gold);
  const found = waiting.all().map(([name, entry]) => ({ ...entry, name }));
  // What another tab is sending now is not sent from here, too.
  let entries = found.filter((entry) => tab.owns(entry.tab));
  const elsewhere = found.length > entries.length;
  let state = entries.some(isWork) ? "saving" : "saved";
  let busy = false;
  let tries = 0;
  let retry = null;
  let count = 0;
  let kept = true;
  let closed = false;
  let listeners = [];

  const edits = () => entries.filter(isEdit);
  const comments = () => entries.filter(isComment);
  const unsent = () => entries.filter(isWork);
  const activity = () => entries.filter((entry) => !isWork(entry));

  function become(next) {
    state = next;
    onState();
    const settled = !unsent().length || !["saving", "saved"].includes(state);
    if (settled) for (const resolve of listeners.splice(0)) resolve(!unsent().length);
  }

  function batch() {
    const some = edits().slice(0, LARGEST_BATCH);
    // Comments wait for the edits: they may speak of one of them, or of a row that one brings.
    if (!some.length && comments().length) {
      const sent = comments().slice(0, LARGEST_BATCH);
      return { path: "/api/comments", body: { gold, comments: sent.map(({ comment }) => comment) }, sent };
    }
    const records = activity().slice(0, LARGEST_BATCH);
    const body = { gold, ...bodyOf(records) };
    if (!some.length) return { path: "/api/activity", body, sent: records };
    const plain = some.map(({ id, edit, undoes, source, at, active_ms }) => ({ id, edit, undoes, source, at, active_ms }));
    return { path: "/api/edits", body: { ...body, after: some[0].after, edits: plain }, sent: [...some, ...records] };
  }

  function forget(sent) {
    for (const { name } of sent) waiting.drop(name);
    entries = entries.filter((entry) => !sent.includes(entry));
  }

  async function pump() {
    clearTimeout(retry);
    if (closed || busy || !entries.length || state === "refused" || state === "expired") return;
    busy = true;
    if (unsent().length && state !== "offline") become("saving");
    const { path, body, sent } = batch();
    let answer = null;
    try {
      answer = await send(path, body);
    } catch {
      // No connection: the entries stay where they are and are sent again.
    }
    busy = false;
    if (answer?.status === 200) {
      tries = 0;
      forget(sent);
      // A tab that was taken for gone may have had them set aside by another one; they are stored now.
      for (const { name } of sent) refusedOnes.drop(name);
      try {
        if (path === "/api/edits") onAck(answer.body);
        if (answer.body.seeded) onMet(answer.body.seeded);
        if (path === "/api/comments") onSaid(answer.body);
      } finally {
        become(unsent().length ? "saving" : "saved");
        if (entries.length) pump();
      }
    } else if (answer?.status === 403) {
      become("expired");
    } else if (answer && answer.status >= 400 && answer.status < 500 && path === "/api/comments") {
      const named = sent.filter(({ id }) => id === answer.body.id);
      const unfit = named.length ? named : sent;
      forget(unfit);
      onUnsaid(unfit.map(({ comment }) => comment), answer.body);
      become(unsent().length ? "saving" : "saved");
      pump();
    } else if (answer?.status === 422 && !answer.body.id && sent.some((entry) => !isEdit(entry))) {
      forget(sent.filter((entry) => !isEdit(entry))); // no edit is at fault: time that cannot be read must not hold them up
      pump();
    } else if ((answer?.status === 409 || answer?.status === 422) && path === "/api/edits") {
      setAside();
      onRefused(answer.body);
    } else if (answer && answer.status >= 400 && answer.status < 500 && path === "/api/activity") {
      forget(sent);
      become("saved");
    } else if (!closed) {
      tries += 1;
      const pause = Math.min(SLOWEST_RETRY_MS, 500 * 2 ** tries) * (0.75 + Math.random() / 2);
      retry = setTimeout(pump, pause);
      if (unsent().length) become("offline");
    }
  }

  function setAside() {
    const held = edits();
    for (const entry of held) refusedOnes.put(entry.name, entry);
    forget(held);
    become("refused");
  }

  const box = {
    gold,
    state: () => state,
    kept: () => kept,
    edits,
    comments,
    unsent,
    pump,
    /** Keep an entry and send it: `{id, edit, undoes, source, at, active_ms, after, where}`, `{id, comment}`, `{id, record}`, `{id, seen}` or `{id, answer}`. */
    add(entry, now = true) {
      count += 1;
      const name = `${String(Date.now()).padStart(15, "0")}-${String(count).padStart(6, "0")}-${entry.id}`;
      if (!waiting.put(name, { ...entry, tab: tab.id })) kept = false;
      entries.push({ ...entry, name });
      if (isWork(entry) && state === "saved") become("saving"); // at once, also while something else is on its way
      if (state === "expired" || state === "refused") onState(); // nothing is sent now, but one more is kept
      if (now) pump();
    },
    /** Leave out what the server already has, by id. */
    known(ids) {
      forget(entries.filter(({ id }) => ids.has(id)));
      if (!unsent().length) become("saved");
    },
    /** Set aside all edits, because they were made on a revision that is no longer the present one. */
    setAside,
    /** Edits that were refused and neither made again nor discarded. */
    refused: () => refusedOnes.all().map(([name, entry]) => ({ ...entry, name })),
    /** It is decided; false where another tab has decided it before. */
    settle({ name }) {
      const open = refusedOnes.get(name) !== null;
      refusedOnes.drop(name);
      onState();
      return open;
    },
    /** It was not decided after all. */
    unsettle(entry) {
      refusedOnes.put(entry.name, entry);
      onState();
    },
    /** Whether the storage held what another open tab had not sent yet. */
    elsewhere,
    /** Whether the storage holds what a tab that is gone has not sent, and this outbox has not taken. */
    leftBehind: () => waiting.all().some(([name, entry]) => tab.owns(entry.tab) && !entries.some((one) => one.name === name)),
    /** Go on after a new sign-in, a new connection, or a reloaded table. */
    resume() {
      if (state !== "saved") state = unsent().length ? "saving" : "saved";
      tries = 0;
      onState();
      pump();
    },
    /** True once no edit or comment is waiting; false as soon as it is clear that they cannot be sent now. */
    drained() {
      if (!unsent().length) return Promise.resolve(true);
      if (!["saving", "saved"].includes(state)) pump();
      return new Promise((resolve) => listeners.push(resolve));
    },
    /** The page may be gone in a moment: hand the first batch to the browser, which sends it on its own. */
    farewell() {
      if (!entries.length || state === "refused" || state === "expired") return;
      const { path, body } = batch();
      if (JSON.stringify(body).length < BEACON_LIMIT) beacon(path, body);
    },
    /** Send nothing more from here; what waits stays in the storage for the next outbox of this table. */
    close() {
      closed = true;
      clearTimeout(retry);
      return box;
    },
  };
  return box;
}

const isEdit = (entry) => entry.edit !== undefined;
const isComment = (entry) => entry.comment !== undefined;
const isWork = (entry) => isEdit(entry) || isComment(entry);

/** What is no edit, by the keys of the request: stretches of time, cells seen, answers about pauses. */
function bodyOf(entries) {
  const all = (kind) => entries.map((entry) => entry[kind]).filter(Boolean);
  return { activity: all("record"), seen: all("seen").flat(), answers: all("answer") };
}
