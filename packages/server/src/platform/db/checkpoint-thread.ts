// Runs in a thread of its own: copies the write-ahead log into the database file when it is asked to.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const database = new DatabaseSync(workerData as string, { timeout: 0 });
database.exec('pragma synchronous = full');
const copy = database.prepare('pragma wal_checkpoint(passive)');

parentPort?.on('message', (message: 'copy' | 'end') => {
  if (message === 'end') {
    database.close();
    parentPort?.close();
    return;
  }
  copy.get();
  // Copies what was written meanwhile, so that little is left for the writer.
  copy.get();
  parentPort?.postMessage('copied');
});
