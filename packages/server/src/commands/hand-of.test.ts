import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { handOf } from './hand-of.ts';

/** A worker of a cluster, as far as its end is concerned. */
function workerWith(pid: number | undefined) {
  const process = Object.assign(new EventEmitter(), { pid }) as ChildProcess;
  const worker = Object.assign(new EventEmitter(), { id: 1, process }) as Worker;
  return { process, worker, ended: handOf(worker).ended };
}

describe('a process of a server', () => {
  it('ends with its code or signal, once its last lines are there', async () => {
    const { process, worker, ended } = workerWith(7);
    worker.emit('exit', null, 'SIGKILL');
    process.emit('close', null, 'SIGKILL');
    assert.deepEqual(await ended, { code: null, signal: 'SIGKILL' });
  });

  it('has ended if the system could not start it: there is no exit then', async () => {
    const { process, worker, ended } = workerWith(undefined);
    const error = Object.assign(new Error('spawn node EAGAIN'), { code: 'EAGAIN' });
    worker.emit('error', error);
    process.emit('close', -11, null);
    assert.deepEqual(await ended, { code: null, signal: null, error });
  });
});
