import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { browserSetting } from '../../../test/browser.ts';
import { browserAgeDays } from './browser-age.ts';
import { browserUid } from './browser-user.ts';
import { newestFirst } from './find-browser.ts';
import { openBrowserPool } from './pool.ts';

const skip = process.platform !== 'linux' && 'what a process may do is read from /proc';

const poolOptions = {
  browser: browserSetting(),
  sandbox: true,
  seats: 1,
  maxMemoryBytes: 1536 * 1024 * 1024,
  allow: [],
  ownNames: ['localhost'],
  https: false,
  log: pino({ level: 'silent' }),
};

/** The processes of this machine whose command line contains the word, each with the fields of its status. */
function processesWith(word: string): Record<string, string>[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(word)) return [];
        const status = readFileSync(`/proc/${pid}/status`, 'latin1');
        return [
          Object.fromEntries(
            [...status.matchAll(/^(\w+):\s+(.*)$/gmu)].map(([, key, value]) => [key, value]),
          ),
        ];
      } catch {
        return [];
      }
    });
}

describe('the browser for untrusted pages', { skip }, () => {
  it('has its sandbox on, and does not run as root', async () => {
    const server = createServer((_request, response) => {
      response
        .setHeader('content-type', 'text/html')
        .end('<body style="background:linear-gradient(red,blue)">');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const pool = openBrowserPool(poolOptions);
    try {
      assert.equal(await pool.isAvailable(), true);
      const state = pool.state();
      assert.ok(state.is === 'ready' && state.sandbox && !state.isRoot, JSON.stringify(state));
      // Its tabs. Our own page that makes pictures is one.
      const tabs = processesWith('--type=renderer').filter(({ PPid }) => PPid !== undefined);
      const uid = process.getuid?.() === 0 ? browserUid : process.getuid?.();
      const ours = tabs.filter(({ Uid }) => Uid?.startsWith(`${uid}\t`));
      assert.ok(ours.length > 0, JSON.stringify(tabs));
      for (const { Seccomp, NoNewPrivs, CapEff } of ours) {
        assert.deepEqual([Seccomp, NoNewPrivs, Number(`0x${CapEff}`)], ['2', '1', 0]);
      }
      const { port } = server.address() as AddressInfo;
      const visit = await pool.visit(
        {
          url: 'http://a.localhost:3000/',
          mapped: { host: 'a.localhost:3000', port },
          staysOnHost: true,
          loadMs: 15_000,
          pictureMs: 8_000,
          afterMs: 0,
          watchMs: 0,
          clicksWhenBlank: false,
          readsDocuments: false,
          maxBytes: 1024 * 1024,
        },
        new AbortController().signal,
      );
      assert.equal(visit.end, 'seen');
      assert.ok(visit.picture);
    } finally {
      await pool.close();
      server.close();
    }
  });
});

describe('a server whose browser gets no sandbox', { skip }, () => {
  it('opens no pages, and says why', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'no-sandbox-'));
    await chmod(folder, 0o755);
    const path = join(folder, 'chromium');
    await writeFile(path, '#!/bin/sh\necho "FATAL: No usable sandbox!" >&2\nexit 1\n', { mode: 0o755 });
    const pool = openBrowserPool({ ...poolOptions, browser: path });
    try {
      await assert.rejects(pool.isAvailable(), /gets no sandbox here/u);
      const state = pool.state();
      assert.ok(state.is === 'failing' && /gets no sandbox here/u.test(state.reason), JSON.stringify(state));
    } finally {
      await pool.close();
      await rm(folder, { recursive: true });
    }
  });
});

describe('the choice of a browser', () => {
  it('takes the newest, and the machine’s own among equal versions', () => {
    const of = (...versions: (string | null)[]) => newestFirst(versions.map((version) => ({ version })));
    assert.deepEqual(of('147.0.1', '156.0.8078.79')[0], { version: '156.0.8078.79' });
    assert.deepEqual(of(null, '153.0.0')[0], { version: '153.0.0' });
    assert.deepEqual(of('153.0.8001.12', '153.0.9')[0], { version: '153.0.8001.12' });
    assert.deepEqual(of('99.0', '153.0.0')[0], { version: '153.0.0' });
  });

  it('computes the age by Chromium’s release calendar', () => {
    const at = (date: string) => Date.parse(date);
    assert.equal(browserAgeDays('153.0.0', at('2026-09-18')), 10);
    assert.equal(browserAgeDays('147.0.1', at('2026-09-08')), 168);
    assert.equal(browserAgeDays('155.0.1.2', at('2026-10-07')), 1);
    assert.equal(browserAgeDays('170.0.0', at('2026-09-18')), 0);
    assert.equal(browserAgeDays(null, at('2026-09-18')), null);
  });
});
