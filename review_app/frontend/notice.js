/** The focus stays where the person works, also where Streamlit's notices and clicks on nothing take it: no key is lost. */

const NOTICE = /connection error/i;
const LEAVING = new Set(["Tab", "F6"]);

/** The key as if it had been pressed in `to`: a letter goes into what has the focus when its keydown is over. */
export function passOn(event, to) {
  if (!to) return;
  const { key, code, location, ctrlKey, shiftKey, altKey, metaKey, repeat } = event;
  const again = new KeyboardEvent("keydown", { key, code, location, ctrlKey, shiftKey, altKey, metaKey, repeat, bubbles: true, composed: true, cancelable: true });
  if (!to.dispatchEvent(again)) event.preventDefault();
}

/**
 * Close each notice of a lost connection, with which Streamlit covers the page, as it comes, so that whoever types goes on
 * typing: what had the focus in `root` gets it back, also where it was drawn anew (by its `data-key`), else `otherwise()` is
 * called. So it does after a click in `root` on what takes no focus. A key that comes while the focus is away goes where the
 * person was, unless they left by Tab, or by mouse for another part of the page.
 */
export function closeConnectionNotices({ root, otherwise, signal }) {
  let last = null;
  let away = false; // the person went elsewhere on the page
  root.addEventListener("focusin", ({ target }) => ((last = target), (away = false)), { signal });

  function takeBack() {
    if (root.activeElement || away) return;
    const key = last?.dataset?.key;
    const again = last?.isConnected ? last : key && root.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (again) again.focus({ preventScroll: true });
    else otherwise();
  }

  // What is around `root` has the focus where nothing that was clicked takes it.
  const isNowhere = () => !root.activeElement && document.activeElement?.contains(root.host ?? root);
  const taken = () => last && !away && !root.activeElement && (isNowhere() || document.activeElement?.closest('[role="dialog"]'));

  /** The key as if the focus had never left. */
  function forward(event) {
    if (root.activeElement) {
      if (LEAVING.has(event.key)) setTimeout(() => (away = !root.activeElement));
      return;
    }
    if (!event.isTrusted || event.isComposing || !taken()) return;
    takeBack();
    if (!root.activeElement) return;
    event.stopImmediatePropagation();
    passOn(event, root.activeElement);
  }

  const look = () => {
    for (const dialog of document.querySelectorAll('[role="dialog"]')) {
      if (!NOTICE.test(dialog.textContent)) continue;
      dialog.querySelector("button")?.click();
      // Streamlit gives the focus back to the page when its dialog is gone, a moment later than this.
      for (const wait of [0, 50, 300]) setTimeout(takeBack, wait);
    }
  };
  addEventListener("keydown", forward, { capture: true, signal });
  addEventListener("pointerdown", (event) => (away = !event.composedPath().includes(root)), { capture: true, signal });
  addEventListener("click", (event) => event.composedPath().includes(root) && isNowhere() && takeBack(), { signal });
  const watch = new MutationObserver(look);
  watch.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => watch.disconnect());
}
