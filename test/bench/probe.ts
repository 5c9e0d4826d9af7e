import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/**
 * Loaded into each measured server (`--import`): on SIGUSR2 it writes what the main thread has allocated so far, and the longest
 * time since the last signal for which its event loop stood still.
 */

const file = process.env['BENCH_PROBE'] ?? '';
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let asked = 0;

process.on('SIGUSR2', () => {
  const { total_allocated_bytes: allocated } = getHeapStatistics() as { total_allocated_bytes?: number };
  writeFileSync(
    file,
    JSON.stringify({
      asked: (asked += 1),
      allocated,
      heldUpMs: delay.max / 1e6,
      rss: process.memoryUsage.rss(),
    }),
  );
  delay.reset();
});
