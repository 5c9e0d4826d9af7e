import { parentPort, workerData } from 'node:worker_threads';
import { Checkpoints } from './checkpoints.ts';
import { openConnection, Runner, type BatchMessage, type StatementMessage } from './runner.ts';

/**
 * The thread that writes the embedded store: its statements, commits and syncs hold up no event loop but its own. What goes wrong beyond a
 * statement ends the thread, and with it the process.
 */
const file = workerData as string;
const database = openConnection(file);
const checkpoints = new Checkpoints(database, file);
const runner = new Runner(database, checkpoints.committed);

parentPort?.on('message', (message: BatchMessage | StatementMessage | 'end') => {
  if (message === 'end') {
    void checkpoints.end().then(() => {
      database.close();
      parentPort?.close();
    });
    return;
  }
  parentPort?.postMessage(runner.run(message));
});
