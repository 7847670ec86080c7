import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { TestClock } from '../../../test/clock.ts';
import { rawRequest } from '../../../test/raw-http.ts';
import { readConfig } from '../../config.ts';
import { openInnerDoor } from './inner-door.ts';
import { alone } from './together.ts';

function doorOf(environment: Record<string, string>) {
  const config = readConfig({ DATABASE_URL: 'postgres://nowhere', ...environment });
  const together = {
    ...alone(new TestClock(), { runsJobs: false }),
    processes: Number(environment.PROCESSES ?? 1),
  };
  return openInnerDoor({ config, together });
}

const portOf = (address: string) => Number(new URL(`http://${address}`).port);

describe('the internal address of a process', () => {
  it('is the public one when there is a single process', async () => {
    assert.equal((await doorOf({ PORT: '4321' })).address, '127.0.0.1:4321');
    assert.equal((await doorOf({ NODE_ADDRESS: '10.0.0.3:80' })).address, '10.0.0.3:80');
    assert.equal((await doorOf({ NODE_ADDRESS: '[fd00::3]:80' })).address, '[fd00::3]:80');
  });

  it('has a port of its own among several processes: any free port, or the first free one of NODE_PORTS', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const first = (taken.address() as AddressInfo).port;
    const some = { PROCESSES: '20', PORT: '4321' };
    const named = { ...some, NODE_PORTS: String(first) };
    const doors = [await doorOf(some), await doorOf(named), await doorOf(named)];
    const [free, second, third] = doors.map(({ address }) => portOf(address));
    assert.ok(free && second && third);
    assert.notEqual(free, 4321);
    assert.ok(first < second && second < third && third < first + 20, `${first} ${second} ${third}`);
    assert.equal((await rawRequest(free, `http://127.0.0.1:${free}/`)).status, 404);
    await Promise.all(doors.map((door) => door.close()));
    taken.close();
  });

  it('is refused at the start when nothing can listen on it', async () => {
    const several = { PROCESSES: '2', NODE_ADDRESS: '192.0.2.1:80' };
    await assert.rejects(doorOf(several), /192\.0\.2\.1:0 .*NODE_ADDRESS and NODE_PORTS/u);
  });
});
