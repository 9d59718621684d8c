/** The text field in a cell while it is edited; its text is a draft until the person commits it. */

import { h } from "./dom.js";

/**
 * `onDraft(text | null)` after each change and at the end; `onCommit(text, event)` with the key that committed;
 * `onCancel()` on Esc; `onCommand(event)` for a press that is a command of ready mode.
 * A focus that is taken away neither commits nor closes: the text stays in the field and in the draft.
 */
export function createEditor({ onDraft, onCommit, onCancel, onCommand }) {
  let field = null;
  let host = null;
  let old = "";
  let typing = false;

  function close() {
    const [closing, cell] = [field, host];
    // Removing a focused field fires focusout at once: whoever listens must already see "not editing".
    field = host = null;
    closing?.remove();
    cell?.classList.remove("editing");
  }

  function keydown(event) {
    event.stopPropagation();
    if (event.isComposing || event.keyCode === 229) return;
    const arrow = event.key.startsWith("Arrow");
    const plain = !event.altKey && !event.ctrlKey && !event.metaKey;
    if (event.key === "Escape") {
      event.preventDefault();
      editor.cancel();
    } else if (event.altKey && event.key === "Enter") {
      event.preventDefault();
      field.setRangeText("\n", field.selectionStart, field.selectionEnd, "end");
      onDraft(field.value);
    } else if (event.key === "Enter" || event.key === "Tab" || (arrow && typing && plain && !event.shiftKey)) {
      event.preventDefault();
      editor.commit(event);
    } else if (/^F\d+$/.test(event.key) || ((event.altKey || event.ctrlKey || event.metaKey) && !event.getModifierState("AltGraph"))) {
      onCommand(event);
    }
  }

  const editor = {
    get open() { return field !== null; },
    get text() { return field?.value ?? null; },
    /** Whether arrows commit, because typing opened the cell. */
    get typing() { return typing; },
    get host() { return host; },
    get caret() { return field && field.selectionStart; },
    get focused() { return field !== null && field.getRootNode().activeElement === field; },

    /** Open in a cell with a text; `type` true: arrows commit (typing began), false: arrows move the caret. */
    edit(cell, text, { type = false, draft = null, label = "" } = {}) {
      close();
      host = cell;
      old = text;
      typing = type;
      field = h("textarea", { class: "editor", dir: "auto", rows: "1", spellcheck: "false", "aria-label": label });
      field.value = draft ?? (type ? "" : text);
      field.addEventListener("keydown", keydown);
      field.addEventListener("input", () => onDraft(field.value));
      field.addEventListener("pointerdown", () => (typing = false));
      cell.append(field);
      cell.classList.add("editing");
      field.focus({ preventScroll: true });
      field.setSelectionRange(field.value.length, field.value.length);
    },

    /** Give the text to the table. */
    commit(event = null) {
      if (!field) return;
      const text = field.value;
      const changed = text !== old;
      close();
      onDraft(null);
      onCommit(text, event, changed);
    },

    /** Give back the old text. */
    cancel() {
      if (!field) return;
      close();
      onDraft(null);
      onCancel();
    },

    focus: () => field?.focus({ preventScroll: true }),
    close,
  };
  return editor;
}
