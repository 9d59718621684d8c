/** Ways out of the table by keyboard: F6 from area to area, arrow keys along a toolbar. */

const CONTROLS = "button, summary, a[href], [tabindex='0']";
const isShown = (control) => control.offsetParent !== null && !control.disabled;

/** The app's navigation, which stands outside of the component. */
const navigation = () => document.querySelector("nav a[aria-current]") ?? document.querySelector("nav a[href], header a[href], header button");

/**
 * Listen on `root`, the component's element. `areas` are its areas in the order of F6, each a function that gives the
 * element to focus; the app's navigation comes before the first of them. `toTable()` gives the focus back to the
 * table, `isFree()` is false while a panel asks something, `leaving()` is called before the focus moves.
 */
export function createAreas({ root, areas, toTable, isFree, leaving, signal }) {
  const focused = () => root.getRootNode().activeElement;

  function places() {
    const found = [navigation, ...areas].map((area) => area()).filter(Boolean);
    const here = document.activeElement;
    const at = found.findIndex((control) => {
      const area = control.closest("[data-area], nav, header") ?? control;
      return area.contains(here) || (area.getRootNode() === root.getRootNode() && area.contains(focused()));
    });
    return { found, at };
  }

  function move(event) {
    if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey || !isFree()) return;
    event.preventDefault();
    event.stopPropagation();
    leaving();
    const { found, at } = places();
    const by = event.shiftKey ? -1 : 1;
    const next = found[(Math.max(at, by > 0 ? -1 : 0) + by + found.length) % found.length];
    next.focus({ preventScroll: true });
  }

  function along(event) {
    const bar = event.target.closest?.(".bar");
    if (!bar || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") {
      event.preventDefault();
      toTable();
      return;
    }
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    const controls = [...bar.querySelectorAll(CONTROLS)].filter(isShown);
    const next = controls.indexOf(focused()) + by;
    event.preventDefault();
    controls.at(next % controls.length).focus();
  }

  root.addEventListener("keydown", move, { capture: true, signal });
  root.addEventListener("keydown", along, { signal });
  document.addEventListener("keydown", (event) => event.composedPath().includes(root) || move(event), { signal });
}
