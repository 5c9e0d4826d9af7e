/** Takes a core: works all the time, at the same priority as what is measured. Ends with the bench. */
const WORK_MS = 20;

function work(): void {
  const until = performance.now() + WORK_MS;
  let sum = 0;
  while (performance.now() < until) sum = (sum * 31 + 7) % 1_000_003;
  setImmediate(work);
}

process.on('disconnect', () => process.exit());
process.send?.('working');
work();
