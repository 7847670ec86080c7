import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { ensureBuild } from '../../server/src/pages/built/build.ts';

describe('the built scripts', () => {
  /** Text by file name. */
  const scripts = new Map<string, string>();
  before(async () => {
    const folder = join(await ensureBuild(), 'assets');
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.js')))
      scripts.set(name, readFileSync(join(folder, name), 'utf8'));
  });

  it('import no script of a worker: WebKit would run it a second time', () => {
    const workers = [...scripts.values()].flatMap((text) =>
      [...text.matchAll(/new Worker\([^)]*?([\w-]+\.js)/gu)].map(([, name = '']) => name),
    );
    assert.ok(workers.length > 0 && workers.every((name) => scripts.has(name)), `${workers}`);
    for (const [name, text] of scripts)
      for (const worker of workers)
        assert.doesNotMatch(text, new RegExp(`(?:from|import)\\s*\\(?["'\`]\\./${worker}`, 'u'), name);
  });
});
