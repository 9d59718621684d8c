/** Links of tables to other screens, followed inside the page: as an address of its own each would start the app anew. */

/** Called by Streamlit once for all screens. */
export default function mount({ data }) {
  const follow = (event) => {
    const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement);
    if (!link || !isPlain(event) || !isOurs(link, data.screens)) return;
    event.preventDefault();
    // Streamlit shows what the address names when a person goes back or forward. Its own way to another screen
    // (st.switch_page) leaves an entry in the history with the old screen and the new parts.
    history.pushState(null, "", link.href);
    dispatchEvent(new PopStateEvent("popstate"));
    document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
  };
  document.addEventListener("click", follow);
  return () => document.removeEventListener("click", follow);
}

/** With another button or a key the browser opens a tab of its own. */
function isPlain(event) {
  return event.button === 0 && !event.defaultPrevented
    && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}

function isOurs(link, screens) {
  const to = new URL(link.href);
  return to.origin === location.origin && link.closest(".pg-table") && screens.includes(to.pathname.split("/").pop());
}
