import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectChecked, type Resolve, type ResolvedAddress } from './connect.ts';
import { listenAndCount } from './counting-listener.ts';
import { isPublicAddress } from './public-address.ts';
import type { TargetRule } from './target-rule.ts';

/** The real rule for addresses, on any port, so that the listener's port can be used like port 80. */
const anyPort: TargetRule = { mayName: () => true, mayConnect: isPublicAddress };
const loopback: ResolvedAddress = { address: '127.0.0.1', family: 4 };
/** A public address by every registry, of a prefix that was given back: nothing can be reached there. */
const nobody: ResolvedAddress = { address: '3ffe::1', family: 6 };

function answers(...list: ResolvedAddress[][]): Resolve & { asked: number } {
  const resolve = async () => list[resolve.asked++] ?? [];
  resolve.asked = 0;
  return resolve;
}

async function connectTo(port: number, resolve: Resolve, rule = anyPort): Promise<void> {
  const target = { host: 'a.example.com', port };
  const socket = await connectChecked(target, rule, resolve, AbortSignal.timeout(500));
  socket.destroy();
}

test('a name that is public when checked and private when connected to is not connected to', async () => {
  await using listener = await listenAndCount(() => undefined);
  const resolve = answers([nobody], [loopback], [loopback]);
  await assert.rejects(connectTo(listener.port, resolve));
  assert.equal(resolve.asked, 1);
  assert.equal(listener.connections(), 0);
});

test('one private address among public ones makes the name refused', async () => {
  await using listener = await listenAndCount(() => undefined);
  const mapped = { address: '::ffff:127.0.0.1', family: 6 };
  for (const list of [[loopback], [mapped], [nobody, loopback], [loopback, nobody], [nobody, nobody, mapped]])
    await assert.rejects(connectTo(listener.port, answers(list)), /address is not public/u);
  assert.equal(listener.connections(), 0);
});

test('a literal address is checked too, without a lookup', async () => {
  await using listener = await listenAndCount(() => undefined);
  for (const host of ['127.0.0.1', '::1', '::ffff:7f00:1']) {
    const target = { host, port: listener.port };
    const connecting = connectChecked(target, anyPort, () => assert.fail('asked'), AbortSignal.timeout(500));
    await assert.rejects(connecting, /address is not public/u);
  }
  assert.equal(listener.connections(), 0);
});

test('the connection goes to the address that was checked, whatever the system resolves', async () => {
  await using listener = await listenAndCount(() => undefined);
  const checked: string[] = [];
  const rule = { mayName: () => true, mayConnect: (address: string) => checked.push(address) > 0 };
  await connectTo(listener.port, answers([loopback, nobody]), rule);
  assert.deepEqual(checked, [loopback.address, nobody.address]);
  assert.equal(listener.connections(), 1);
});
