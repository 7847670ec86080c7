import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { findUpdate } from './update-notice.ts';

const day = 24 * 3_600_000;
let folder: string;
let service: Server;
let asked: number;
let answer: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'spaceport-update-'));
  asked = 0;
  answer = JSON.stringify({ version: '0.2.0', build: 'bbb' });
  service = createServer((_request, response) => {
    asked += 1;
    response.end(answer);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  service.close();
  rmSync(folder, { recursive: true, force: true });
});

const origin = (build: string) => {
  const address = service.address();
  assert.ok(typeof address === 'object' && address !== null);
  return { server: `http://127.0.0.1:${address.port}`, build };
};
const find = (build: string, nowMs: number) => findUpdate({ XDG_CONFIG_HOME: folder }, origin(build), nowMs);

test('tells of a newer build, and asks once a day', async () => {
  assert.match(
    (await find('aaa', day)) ?? '',
    /has a newer command \(0\.2\.0, build bbb; this is build aaa\)/u,
  );
  assert.equal(await find('aaa', 2 * day - 1), null);
  assert.equal(asked, 1);
  assert.match((await find('aaa', 2 * day)) ?? '', /newer/u);
  assert.equal(asked, 2);
});

test('prints nothing for the same build', async () => {
  assert.equal(await find('bbb', day), null);
  assert.equal(asked, 1);
});

test('ignores invalid answers, failed requests and a folder that cannot be written', async () => {
  for (const [index, odd] of ['', '[]', '{"build":7}', '<html>'].entries()) {
    answer = odd;
    assert.equal(await find('aaa', (index + 1) * day), null, odd);
  }
  const elsewhere = { server: 'http://127.0.0.1:1', build: 'aaa' };
  assert.equal(await findUpdate({ XDG_CONFIG_HOME: folder }, elsewhere, day), null);
  assert.equal(await findUpdate({ XDG_CONFIG_HOME: '/dev/null' }, origin('aaa'), day), null);
});
