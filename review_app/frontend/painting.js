/** Work that waits until what was changed is on the screen: a key press is answered first. */

const LONGEST_WAIT_MS = 100; // a page in the background makes no frames

/** `ask()` has `act` called once the next frame is painted; asked several times before that, it is called once. */
export function createLater(act) {
  let frame = 0;
  let timer = 0;

  function cancel() {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = timer = 0;
  }

  function run() {
    cancel();
    act();
  }

  return {
    ask() {
      if (timer) return;
      timer = setTimeout(run, LONGEST_WAIT_MS);
      frame = requestAnimationFrame(() => {
        clearTimeout(timer);
        timer = setTimeout(run); // a task of its own comes after the painting
      });
    },
    cancel,
  };
}
