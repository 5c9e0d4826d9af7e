import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * A thread with a connection of its own that copies the write-ahead log into the database, each time it is asked. It holds up neither
 * readers nor the writer (`passive`). Imports nothing of ours, so that it starts quickly.
 */
const database = new DatabaseSync(workerData as string);
// What is copied must be synced before the log may be written over.
database.exec('pragma synchronous = full');
const checkpoint = database.prepare('pragma wal_checkpoint(passive)');

parentPort?.on('message', (wish: 'copy' | 'end') => {
  if (wish === 'end') {
    database.close();
    parentPort?.close();
    return;
  }
  try {
    const { log, checkpointed } = checkpoint.get() as { log: number; checkpointed: number };
    parentPort?.postMessage({ left: log - checkpointed, log });
  } catch {
    // A full disk, for example. The log waits, and the main thread's own bound stands.
    parentPort?.postMessage({ left: 0, log: 0 });
  }
});
