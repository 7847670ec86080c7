import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../config.ts';
import { processesOf, shareOf } from './shares.ts';

const DATABASE_URL = 'postgres://localhost/spaceport';
const read = (PROCESSES: string) => readConfig({ DATABASE_URL, PROCESSES });

describe('the processes of a server', () => {
  it('are one by default, and as many as there are cores with auto', () => {
    assert.equal(processesOf(readConfig({}), 8), 1);
    assert.deepEqual([processesOf(read('3'), 8), processesOf(read('auto'), 8)], [3, 8]);
  });

  it('are always one on SQLite', () => {
    for (const PROCESSES of ['2', 'auto'])
      assert.throws(() => readConfig({ PROCESSES }), /PROCESSES: more than one process needs PostgreSQL/u);
    assert.equal(readConfig({ PROCESSES: '1' }).PROCESSES, 1);
  });

  it('divide the limits of the server among themselves', () => {
    const environment = {
      DATABASE_URL,
      PROCESSES: '4',
      SERVING_CACHE_BYTES: '100m',
      RESPONSE_CACHE_BYTES: '10',
    };
    const config = readConfig({ ...environment, DATABASE_CONNECTIONS: '30' });
    assert.deepEqual(shareOf(config, 4), {
      SERVING_CACHE_BYTES: String(25 * 1024 * 1024),
      RESPONSE_CACHE_BYTES: '2',
      DATABASE_CONNECTIONS: '7',
    });
    // A share must be a valid setting, and a process needs at least four connections.
    assert.equal(readConfig({ ...environment, ...shareOf(config, 16) }).DATABASE_CONNECTIONS, 4);
  });

  it('need memory for the longest body each', () => {
    assert.throws(
      () => readConfig({ DATABASE_URL, PROCESSES: '2', BODY_MEMORY_BYTES: '16m' }),
      /BODY_MEMORY_BYTES/u,
    );
    assert.equal(readConfig({ BODY_MEMORY_BYTES: '16m' }).BODY_MEMORY_BYTES, 16 * 1024 * 1024);
    readConfig({ DATABASE_URL, PROCESSES: '2', BODY_MEMORY_BYTES: '22m' });
  });
});
