import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { machineBrowserPath } from './find-browser.ts';
import { npmBrowser } from './npm-browser.ts';
import { type BrowserPoolOptions, openBrowserPool } from './pool.ts';
import { BrowserUnusable } from './running-browser.ts';
import type { VisitRequest } from './visit.ts';

const blank: VisitRequest = {
  url: 'about:blank',
  mapped: null,
  staysOnHost: false,
  loadMs: 20_000,
  afterMs: 0,
  pictureMs: 0,
  watchMs: 0,
  clicksWhenBlank: false,
  readsDocuments: false,
  maxBytes: 1_000,
};

const skip = process.platform !== 'linux' && 'the browser in this test is a shell script';

describe('a browser that is there', { skip }, () => {
  let folder = '';
  let logged: { msg: string; reason?: string }[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'failing-browser-'));
    await chmod(folder, 0o755);
    logged = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = (lines: string) =>
    writeFile(join(folder, 'chromium'), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  const writeSound = async () => {
    const machine = machineBrowserPath();
    const { path, environment } = machine === null ? await npmBrowser() : { path: machine, environment: {} };
    const exports = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'`);
    await write([...exports, `exec '${path}' "$@"`].join('\n'));
  };
  const open = (more: Partial<BrowserPoolOptions> = {}) =>
    openBrowserPool({
      browser: 'auto',
      sandbox: true,
      seats: 1,
      maxMemoryBytes: 1536 * 1024 * 1024,
      allow: [],
      ownNames: ['localhost'],
      https: false,
      log: pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) }),
      findCandidates: async () => [
        {
          from: 'machine',
          version: '153.0.0',
          program: async () => ({ path: join(folder, 'chromium'), environment: {} }),
        },
      ],
      ...more,
    });

  it('and is named in the settings is tried again at each wish, and the log has each reason once', async () => {
    await write('echo "error while loading shared libraries: libnss3.so" >&2; exit 127');
    const pool = open({ browser: join(folder, 'chromium') });
    try {
      assert.deepEqual(pool.state(), { is: 'starting' });
      for (let attempt = 0; attempt < 6; attempt++) {
        await assert.rejects(pool.isAvailable(), (error: unknown) => error instanceof BrowserUnusable);
        const state = pool.state();
        assert.ok(state.is === 'failing' && /libnss3\.so/u.test(state.reason), JSON.stringify(state));
      }
      assert.equal(logged.length, 1);
      assert.match(logged[0]?.reason ?? '', /libnss3\.so/u);
      await write('kill -9 $$');
      await assert.rejects(pool.isAvailable(), BrowserUnusable);
      assert.equal(logged.length, 2);
      await writeSound();
      assert.equal(await pool.isAvailable(), true);
      assert.equal(pool.state().is, 'ready');
    } finally {
      await pool.close();
    }
  });

  it('and was only found is none once it did not start at the first tries', async () => {
    await write('exit 127');
    const pool = open();
    try {
      for (let attempt = 0; attempt < 3; attempt++) await assert.rejects(pool.isAvailable(), BrowserUnusable);
      assert.equal(pool.state().is, 'failing');
      assert.equal(await pool.isAvailable(), false);
      assert.equal(pool.state().is, 'off');
    } finally {
      await pool.close();
    }
  });

  it('and has started once is never taken for none', async () => {
    await writeSound();
    const pool = open({ idleMs: 1 });
    try {
      assert.equal(await pool.isAvailable(), true);
      await write('exit 127');
      const visit = () => pool.visit(blank, new AbortController().signal);
      // The browser that was started is of use until it is ended for being idle.
      let failures = 0;
      while (failures < 2) {
        failures += await visit().then(
          () => 0,
          (error: unknown) => {
            assert.ok(error instanceof BrowserUnusable, String(error));
            return 1;
          },
        );
        assert.equal(await pool.isAvailable(), true);
      }
      assert.equal(pool.state().is, 'failing');
      await writeSound();
      await visit();
      assert.equal(pool.state().is, 'ready');
    } finally {
      await pool.close();
    }
  });

  it('and may not run here is none', async () => {
    for (const said of ['FATAL: No usable sandbox!', 'Command chromium requires the chromium snap.']) {
      await write(`echo "${said}" >&2; exit 1`);
      const pool = open();
      assert.equal(await pool.isAvailable(), false, said);
      assert.equal(pool.state().is, 'off');
      await pool.close();
    }
    const none = open({ findCandidates: async () => [] });
    assert.equal(await none.isAvailable(), false);
    assert.equal(none.state().is, 'off');
    await none.close();
  });
});
