/** The clock of the page: it goes on when the computer's clock is set back, and learns how long the computer slept. */

const SLEPT_MS = 2_000;

/**
 * `tick()` is a monotonic time in milliseconds, `date()` the computer's clock.
 * `wall()` is the time of day as this page counts it. Where the monotonic time stood still while the computer slept,
 * it moves on by as much; where the computer's clock is set back, it does not follow, so that no record of this page
 * ever begins before the one before it.
 */
export function createClock(tick = () => performance.now(), date = () => Date.now()) {
  let anchor = date() - tick();
  return {
    now: tick,
    wall: () => Math.round(anchor + tick()),
    /** True where the computer slept, or its clock was set ahead, since the last call: `wall` has jumped. */
    jumped() {
      const ahead = date() - tick() - anchor;
      if (ahead < SLEPT_MS) return false;
      anchor += ahead;
      return true;
    },
  };
}

/** The one clock of this page, by which records are dated and sent. */
export const pageClock = createClock();
