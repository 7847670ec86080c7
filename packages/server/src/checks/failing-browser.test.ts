import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { browserSetting } from '../../test/browser.ts';
import { listing, publishFiles, smallGame } from '../../test/files.ts';
import { proofTag, startPages } from '../../test/pages.ts';
import { startService } from '../../test/service.ts';
import { machineBrowserPath } from '../platform/browser/find-browser.ts';
import { npmBrowser } from '../platform/browser/npm-browser.ts';

const skip = process.platform !== 'linux' && 'the browser in this test is a shell script';

/** A service whose browser does not start until it is repaired, with a page that runs elsewhere. */
async function startWithBroken(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'failing-check-'));
  await chmod(folder, 0o755);
  const path = join(folder, 'chromium');
  const write = (lines: string) => writeFile(path, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  await write('echo "error while loading shared libraries: libnss3.so" >&2; exit 127');
  const pages = await startPages();
  const service = await startService({ environment: { BROWSER: path, FETCH_ALLOW: pages.address } });
  context.after(async () => {
    // The picture of the space cannot be taken either.
    await service.close({ allowFailedJobs: true });
    await pages[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const creator = await service.creator();
  const { version } = await publishFiles(creator, smallGame, {}, { live: true });
  const style = 'body { background: linear-gradient(teal, navy); height: 100vh }';
  const url = pages.put('/elsewhere', `${proofTag(creator.handle)}<style>${style}</style>`);
  const { slug } = (await creator.call('POST', '/api/spaces', { url, ...listing })).json();
  const clipElsewhere = async () => (await creator.call('GET', `/api/spaces/${slug}`)).json().clip;
  const read = () => creator.client.readVersion({ params: { id: version.id } });
  const repair = async () => {
    const setting = browserSetting();
    const { path: program, environment } =
      setting === 'npm' || machineBrowserPath() === null
        ? await npmBrowser()
        : { path: machineBrowserPath() ?? setting, environment: {} };
    const exports = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'`);
    await write([...exports, `exec '${program}' "$@"`].join('\n'));
  };
  const pass = async (seconds: number) => {
    service.clock.advance({ seconds });
    await service.settle();
  };
  const readyz = async () => (await service.get(`${service.baseUrl}/readyz`)).json();
  return { service, read, clipElsewhere, repair, pass, readyz };
}

describe('the safety check while its browser does not start', { skip }, () => {
  it('waits for it, as pictures do, and tells the operator', async (context) => {
    const { service, read, clipElsewhere, repair, pass, readyz } = await startWithBroken(context);
    await service.settle();
    // It fails far more often than a check may for other reasons.
    for (let attempt = 0; attempt < 5; attempt++) {
      assert.equal((await read()).status, 'checking');
      await pass(40);
    }
    const { status, browser } = await readyz();
    assert.deepEqual([status, browser], ['ok', 'failing']);
    const operator = await service.creator('ops', { operator: true });
    const health = (await operator.call('GET', '/api/operator/health')).json();
    assert.equal(health.browser.state, 'failing');
    assert.match(health.browser.reason, /libnss3\.so/u);
    const { findings } = (await operator.call('GET', '/api/operator/health/findings')).json();
    const found = findings.find(({ about }: { about: string }) => about === 'browser');
    assert.equal(found.state, 'wrong');
    assert.match(`${found.said} ${found.advice}`, /libnss3\.so.*versions stay unjudged.*BROWSER=none/u);

    await repair();
    await pass(70);
    const judged = await read();
    assert.equal(judged.status, 'live', JSON.stringify(judged));
    assert.equal(judged.report?.page?.loaded, true);
    assert.equal((await readyz()).browser, undefined);
    assert.equal((await clipElsewhere())?.take, 1);
  });

  it('leaves a version unjudged after some minutes, and says that its page was not opened', async (context) => {
    const { service, read, pass } = await startWithBroken(context);
    await service.settle();
    for (let minute = 0; minute < 10; minute++) await pass(61);
    const { status, reason, report } = await read();
    assert.equal(status, 'unjudged');
    assert.match(reason ?? '', /The page was not opened.*the browser.*does not start/u);
    assert.deepEqual(
      report?.findings.map(({ rule, severity }) => [rule, severity]),
      [['page-browser', 'unjudged']],
    );
    assert.equal(report?.page, undefined);
  });
});
