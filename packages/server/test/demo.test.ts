import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runDemo } from './run-demo.ts';
import { startService, type TestService } from './service.ts';
import { signUp } from './visitor.ts';
import './one-engine.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const examples = join(root, 'examples');
const games = ['mothlight', 'skerry', 'stillwater', 'two-comets'];

/** Returns the contents of all files of the examples, by path. */
async function contents(): Promise<Map<string, string>> {
  const entries = await readdir(examples, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(files.map(async (path) => [path, await readFile(path, 'latin1')] as const)),
  );
}

describe('npm run demo', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('publishes once, however often it runs, and does not change the example', async () => {
    const before = await contents();
    const first = await runDemo(service);
    for (const game of games) assert.match(first, new RegExp(`Published\\. Open http:\\S+/s/${game}\n`, 'u'));
    const second = await runDemo(service);
    for (const game of games)
      assert.match(second, new RegExp(`published already.+ Open http:\\S+/s/${game}\n`, 'u'));
    const { db } = service.service.platform.database;
    assert.equal((await db.selectFrom('spaces').select('id').execute()).length, games.length);
    assert.equal((await db.selectFrom('versions').select('id').execute()).length, games.length);
    assert.deepEqual(await contents(), before);
  });

  it('makes the first account that signs up an operator', async () => {
    const { email } = await signUp(service);
    const { db } = service.service.platform.database;
    const operators = await db.selectFrom('creators').select('email').where('operator', '=', 1).execute();
    assert.deepEqual(
      operators.map((one) => one.email),
      [email],
    );
  });
});
