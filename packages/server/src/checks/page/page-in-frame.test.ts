import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { browserSetting } from '../../../test/browser.ts';
import { drawn, publishChecked, rulesOf } from '../../../test/checked-page.ts';
import { type Persona, startService, type TestService } from '../../../test/service.ts';

describe('opening a version in the frame in which players will have it', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService({ environment: { BROWSER: browserSetting() } });
    creator = await service.creator();
  });
  after(() => service.close());

  const checked = (script: string) => publishChecked(service, creator, `${drawn}<script>${script}</script>`);

  it('names errors that the page has only there, and how to go on', async () => {
    const { version, report, page } = await checked('document.title = parent.document.title;');
    assert.equal(version.status, 'live');
    assert.deepEqual(rulesOf(report), ['warn page-frame']);
    const [finding] = report.findings;
    assert.match(finding?.message ?? '', /^In the frame .* not on its own: .*Blocked a frame with origin/u);
    assert.match(finding?.fix ?? '', /whether window\.parent === window/u);
    // On its own it had none.
    assert.deepEqual(page.consoleErrors, []);
  });

  it('says when a page that asks where it is shows nothing there', async () => {
    const { report } = await checked(
      'let isLocked = false; try { isLocked = parent.location.hostname !== location.hostname } catch { isLocked = true } if (isLocked) document.body.remove();',
    );
    assert.deepEqual(rulesOf(report), ['warn page-frame']);
    assert.match(report.findings[0]?.message ?? '', /stayed blank.*On its own it did not/u);
  });

  it('says nothing of a page that does the same there, whatever it logs', async () => {
    const { report } = await checked(
      `console.error('frame', performance.now()); setTimeout(() => { throw new Error('at ' + Math.random()) }, 50);
      try { parent.document } catch {} document.body.append(document.createElement('input')); document.querySelector('input').autofocus = true;`,
    );
    assert.deepEqual(rulesOf(report), ['warn page-errors']);
  });

  it('opens it in the frame of its page, which gives it what the page gives it', async () => {
    const { report } = await checked(
      `if (parent !== self) console.error(location.ancestorOrigins[0],
        ['fullscreen', 'gamepad', 'camera'].map((name) => document.featurePolicy.allowsFeature(name)).join());`,
    );
    assert.deepEqual(rulesOf(report), ['warn page-frame']);
    assert.ok(
      report.findings[0]?.message.includes(`${service.baseUrl} true,true,false`),
      JSON.stringify(report),
    );
  });

  it('refuses a page that goes to another site only there', async () => {
    const { version, report } = await checked(
      `if (parent !== self) setTimeout(() => { location = ['https:', '', 'evil.example.org'].join('/') }, 300);`,
    );
    assert.equal(version.status, 'refused');
    assert.deepEqual(rulesOf(report), ['refuse page-leaves']);
    assert.match(String(version.reason), /In the frame .* goes to evil\.example\.org/u);
  });

  it('refuses a form for the password of another service that is drawn only there', async () => {
    const markup = Buffer.from('<h1>Sign in to your Steam account</h1><input type="password">').toString(
      'base64',
    );
    const { version, report } = await checked(
      `if (parent !== self) document.body.innerHTML = atob('${markup}');`,
    );
    assert.equal(version.status, 'refused');
    assert.deepEqual(rulesOf(report), ['refuse brand-sign-in']);
  });

  it('passes a page that hangs only there, and says so', async () => {
    const { version, report } = await checked('setTimeout(() => { while (parent !== self); }, 100)');
    assert.equal(version.status, 'live');
    assert.deepEqual(rulesOf(report), ['warn page-frame']);
    assert.match(report.findings[0]?.message ?? '', /stopped answering/u);
  });

  it('shows a page there that needs shared memory', async () => {
    const { report } = await checked(
      'new SharedArrayBuffer(8); if (!crossOriginIsolated) console.error("not isolated");',
    );
    assert.deepEqual(rulesOf(report), []);
  });
});
