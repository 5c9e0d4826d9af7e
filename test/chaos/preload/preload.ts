import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { installClock, type ClockSettings } from './clock.ts';
import { isAbout, type Command, type Order } from './orders.ts';
import { SABOTAGES, sabotage, type SabotageName } from './sabotage.ts';
import { watchHttp } from './watch-http.ts';
import { watchStore } from './watch-store.ts';

/**
 * Loaded before the service (`node --import`), so that the service itself holds nothing for tests: lets the harness see
 * every boundary that the process passes (on file descriptor 3) and end it at any of them, exactly there.
 */

/** How the harness sets the preload up. */
export interface PreloadSettings {
  clock?: ClockSettings;
  /** Path of the shop's address: calls to it are deliveries. */
  hookPath: string;
  orders?: Order[];
  sabotage?: SabotageName;
}

const REPORT = 3;
/** Real milliseconds after which a process has loaded what it needs. */
const COMPILED_AFTER_MS = 3_000;

function install({ clock, hookPath, orders: first = [], sabotage: sabotaged }: PreloadSettings): void {
  // A process that will be killed writes nothing down at its end, and every start would compile everything anew.
  setTimeout(flushCompileCache, COMPILED_AFTER_MS).unref();
  const stepClock = installClock(clock ?? { since: 0, speed: 1, offset: 0 });
  let orders = first.map((order) => ({ ...order }));
  const pass = (boundary: string): void => {
    writeSync(REPORT, `${boundary}\n`);
    for (const order of orders) {
      if (order.nth <= 0 || !isAbout(order, boundary)) continue;
      order.nth -= 1;
      if (order.nth > 0) continue;
      if (order.action === 'step') {
        stepClock(order.milliseconds ?? 0);
        writeSync(REPORT, `~${boundary}\n`);
        continue;
      }
      writeSync(REPORT, `!${order.action} ${boundary}\n`);
      // Synchronous: not one more instruction of the service runs.
      process.kill(process.pid, order.action === 'kill' ? 'SIGKILL' : 'SIGSTOP');
    }
  };
  watchStore(pass);
  watchHttp(pass, hookPath);
  if (sabotaged && sabotaged in SABOTAGES) sabotage(sabotaged);
  process.on('message', (command: Command) => {
    if (command.do === 'arm') orders = command.orders;
    else stepClock(command.milliseconds);
    process.send?.({ done: command.do });
  });
  // A harness that was ended leaves no process behind.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // The channel alone keeps no process alive.
  process.channel?.unref();
}

const settings = process.env['CHAOS_PRELOAD'];
// The log's worker thread loads this too.
if (isMainThread && settings !== undefined) install(JSON.parse(settings) as PreloadSettings);
