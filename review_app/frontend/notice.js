/** Streamlit covers the page with a notice when the link drops, and takes the focus; the review tells of it itself. */

const NOTICE = /connection error/i;

/** Close each such notice as it comes and call `takeBack()`, so that whoever types goes on typing. */
export function closeConnectionNotices({ takeBack, signal }) {
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
