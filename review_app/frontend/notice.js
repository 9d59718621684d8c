/** Streamlit covers the page with a notice when the link drops, and takes the focus; the review tells of it itself. */

const NOTICE = /connection error/i;

/**
 * Close each such notice as it comes, so that whoever types goes on typing: what had the focus in `root` gets it back, also
 * where it was drawn anew (by its `data-key`), else `otherwise()` is called.
 */
export function closeConnectionNotices({ root, otherwise, signal }) {
  let last = null;
  root.addEventListener("focusin", ({ target }) => (last = target), { signal });

  function takeBack() {
    if (root.activeElement) return;
    const key = last?.dataset?.key;
    const again = last?.isConnected ? last : key && root.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (again) again.focus({ preventScroll: true });
    else otherwise();
  }

  const look = () => {
    for (const dialog of document.querySelectorAll('[role="dialog"]')) {
      if (!NOTICE.test(dialog.textContent)) continue;
      dialog.querySelector("button")?.click();
      // Streamlit gives the focus back to the page when its dialog is gone, a moment later than this.
      for (const wait of [0, 50, 300]) setTimeout(takeBack, wait);
    }
  };
  const watch = new MutationObserver(look);
  watch.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => watch.disconnect());
}
