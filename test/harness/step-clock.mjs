/**
 * Loaded before the service (`node --import`). Its wall clock is off by `CLOCK_OFFSET_MS` from the start, and SIGUSR2 sets it
 * by `CLOCK_STEP_MS` (twenty minutes forward where that is not given), as a machine's clock is set right. Timers and
 * `performance.now()` go on as they were.
 */
const stepMs = Number(process.env.CLOCK_STEP_MS ?? 20 * 60_000);
let offset = Number(process.env.CLOCK_OFFSET_MS ?? 0);
const Machine = Date;
globalThis.Date = class Date extends Machine {
  constructor(...given) {
    if (given.length === 0) super(Machine.now() + offset);
    else super(...given);
  }
  static now() {
    return Machine.now() + offset;
  }
};
process.on('SIGUSR2', () => {
  offset += stepMs;
});
