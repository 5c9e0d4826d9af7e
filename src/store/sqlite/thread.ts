import { parentPort, workerData } from 'node:worker_threads';
import { openConnection, Runner, type Message, type ThreadData } from './connection.ts';

/**
 * A thread of the embedded store: one writes, another reads lists and reports, so that neither a sync nor a summary holds up the event loop.
 * What goes wrong beyond a statement ends the thread, and with it the process.
 */
const { file, readOnly, texts } = workerData as ThreadData;
const database = openConnection(file, readOnly);
const runner = new Runner(database, texts);

parentPort?.on('message', (message: Message | 'end') => {
  if (message === 'end') {
    database.close();
    parentPort?.close();
  } else parentPort?.postMessage(runner.answer(message));
});
