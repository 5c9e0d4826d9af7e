/**
 * Loaded before the service (`node --import`). Its wall clock is off by `CLOCK_OFFSET_MS` from the start. Each SIGUSR2 sets
 * it by the next of `CLOCK_STEPS_MS`, a list with commas, as a machine's clock is set right. Timers and
 * `performance.now()` go on as they were. It says so on the standard error output.
 */
const steps = (process.env.CLOCK_STEPS_MS ?? '').split(',').map(Number);
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
  offset += steps.shift() ?? 0;
  process.stderr.write(`clock set: ${offset} ms off\n`);
});
