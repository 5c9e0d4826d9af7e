/**
 * Loaded before the service (`node --import`): SIGUSR2 sets its wall clock forward by twenty minutes, as a machine's clock is
 * set right. Timers and `performance.now()` go on as they were.
 */
const STEP_MS = 20 * 60_000;
const now = Date.now.bind(Date);
let offset = 0;
Date.now = () => now() + offset;
process.on('SIGUSR2', () => {
  offset += STEP_MS;
});
