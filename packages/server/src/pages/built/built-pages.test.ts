import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { testFolder } from '../../../test/prepared.ts';
import { type BuiltPages, openBuiltPages } from './built-pages.ts';

describe('the files of a build', () => {
  let folder: string;
  let built: BuiltPages;
  before(async () => {
    folder = await mkdtemp(join(testFolder, 'built-pages-'));
    await mkdir(join(folder, '.vite'));
    await mkdir(join(folder, 'assets'));
    const chunks = ['src/early.ts', 'src/styles/index.css'].map((name) => [name, { file: 'assets/a.js' }]);
    await writeFile(join(folder, '.vite/manifest.json'), JSON.stringify(Object.fromEntries(chunks)));
    await writeFile(join(folder, 'assets/a.js'), 'play()');
    built = openBuiltPages({ folder, log: pino({ level: 'silent' }) });
  });
  after(async () => {
    built.close();
    await rm(folder, { recursive: true });
  });

  it('are read again after a reading that failed', async () => {
    const path = join(folder, 'assets/a.js');
    await built.files(null);
    await rename(path, `${path}.away`);
    await assert.rejects(built.read('a.js'), { code: 'ENOENT' });
    await rename(`${path}.away`, path);
    assert.equal(String((await built.read('a.js'))?.identity), 'play()');
  });

  it('are read once', async () => {
    assert.equal(await built.read('a.js'), await built.read('a.js'));
    assert.equal(await built.read('b.js'), null);
  });
});
