import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { consoleError, type Hostile, hostile, hostileFile, seedHostile } from './hostile-seed.ts';
import { hostileSpace } from './hostile-space.ts';
import { listen, openContext, takenOver } from './walk.ts';

describe('hostile text from users', () => {
  let service: TestService;
  let browser: Browser;
  let operator: SignedUp;
  let mallory: Hostile;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    operator = await signUp(service, { handle: 'keeper', name: 'Kit' });
    mallory = await seedHostile(service);
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Opens a page and checks that hostile text is only shown: it ran nothing and changed nothing. */
  async function isText(path: string, shown: readonly string[], { as = mallory.viewer, act = nothing } = {}) {
    const url = new URL(path, service.baseUrl).href;
    const context = await openContext(browser, undefined, { url, as });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(8_000);
      const complaints = listen(page);
      const dialogs: string[] = [];
      page.on('dialog', (dialog) => {
        dialogs.push(dialog.message());
        void dialog.dismiss();
      });
      await page.addInitScript(() => {
        Reflect.set(window, 'owned', () => Reflect.set(window, 'isOwned', true));
      });
      await page.goto(url);
      await takenOver(page);
      await act(page);
      for (const text of shown) await page.getByText(text).filter({ visible: true }).first().waitFor();
      assert.deepEqual(await page.evaluate(signsOfMarkup), [], path);
      assert.deepEqual([...complaints, ...dialogs], [], path);
      assert.equal(new URL(page.url()).pathname, new URL(url).pathname);
    } finally {
      await context.close();
    }
  }
  const title = hostile('title');

  it('is shown as text in the gallery and on the pages of a space and its creator', async () => {
    await isText('/', [title]);
    await isText(`/?q=${encodeURIComponent(hostile('title'))}`, [title]);
    await isText(`/?q=${encodeURIComponent('"><script>owned()</script>')}&space_type="><b>&sort=<b>`, []);
    await isText(`/s/${mallory.slug}`, [title, 'description', 'made', 'board', 'won', 'lnk']);
    await isText('/@mallory', [hostile('name'), title]);
    await isText('/s/%22%3E%3Cimg%20src=x%20onerror=owned()%3E', []).catch(onlyNotFound);
    await isText('/@%22%3E%3Cimg%20src=x%20onerror=owned()%3E', []).catch(onlyNotFound);
  });

  it('is shown as text in its creator’s dashboard', async () => {
    const manage = (section: string) => `/dashboard/${mallory.slug}?section=${section}`;
    await isText('/dashboard', [title]);
    await isText(manage('versions'), [title, hostileFile, "'onerror=owned().html", consoleError]);
    await isText(manage('page'), [title]);
    await isText(manage('boards'), ['board', 'stat', 'won']);
    await isText(manage('players'), ['@mallory']);
    await isText(manage('activity'), [title]);
    await isText('/settings', [hostile('client')]);
    await isText(mallory.deviceAddress, [hostile('device')]);
  });

  it('is shown as text in the operator’s views', async () => {
    const as = operator;
    const act = async (page: Page) => {
      await page.getByRole('button', { name: 'Look at it' }).first().click();
      await page.getByText(hostileFile).first().waitFor();
    };
    await isText('/operator?view=reviews', [title, consoleError], { as, act });
    await isText('/operator?view=reports', [title, 'report'], { as });
    await isText('/operator?view=spaces', [title], { as });
    await isText('/operator?view=accounts', [hostile('name')], { as });
    const { slug } = mallory;
    const reason = hostile('why');
    for (const action of ['hold', 'release']) {
      const answer = await operator.call('POST', `/api/operator/spaces/${slug}/${action}`, { reason });
      assert.equal(answer.status, 200, answer.text());
    }
    await isText('/operator?view=log', [reason], { as });
  });

  it('makes no form lead to another site', async () => {
    for (const next of ['javascript:owned()', '//elsewhere.example', 'https://elsewhere.example/'])
      await isText(`/sign-in?next=${encodeURIComponent(next)}`, [], {
        as: { ...operator, cookies: new Map() },
      });
  });

  it('is escaped where other services and programs read it', async () => {
    const { slug } = mallory;
    const pageUrl = `${service.baseUrl}/s/${slug}`;
    const oembed = await service.get(`${service.baseUrl}/oembed?url=${encodeURIComponent(pageUrl)}`);
    assert.match(String(oembed.headers['content-type']), /^application\/json/u);
    assert.equal(oembed.headers['x-content-type-options'], 'nosniff');
    assert.equal(oembed.json().title, title);

    const page = await browser.newPage();
    const markup = (await service.get(pageUrl)).text();
    // A reader of Open Graph parses the markup without running it.
    const read = await page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, 'text/html');
      const content = (name: string) =>
        parsed.querySelector(`meta[property="${name}"]`)?.getAttribute('content');
      return {
        title: content('og:title'),
        description: content('og:description'),
        alternate: parsed.querySelector('link[type="application/json+oembed"]')?.getAttribute('title'),
        data: JSON.parse(parsed.getElementById('first-data')?.textContent ?? '').data.space.title,
        images: parsed.querySelectorAll('img').length,
      };
    }, markup);
    await page.close();
    assert.equal(read.title, `${title} by @mallory`);
    assert.equal(read.alternate, read.title);
    assert.match(read.description ?? '', /^"'><img src=x onerror=owned\(\)><\/title><\/script>description/u);
    assert.deepEqual([read.data, read.images], [title, 0]);

    for (const path of ['/llms.txt', '/api/openapi.json', '/docs/api']) {
      const answer = await service.get(`${service.baseUrl}${path}`);
      assert.equal(answer.status, 200, path);
      assert.doesNotMatch(answer.text(), /owned\(\)|mallory/u, path);
    }
  });

  it('is refused as an address that would run script', async () => {
    const { creator } = await creatorWithBrowser(service, 'trudy');
    for (const url of [
      'javascript:owned()',
      ' JavaScript:owned()',
      'data:text/html,<script>owned()</script>',
      'vbscript:x',
      'https://user:pass@elsewhere.example/',
    ]) {
      const own = (await publishLive(service, creator)).space.slug;
      for (const change of [{ source_url: url }, { page: { links: [{ label: 'x', url }] } }]) {
        const answer = await creator.call('PATCH', `/api/spaces/${own}`, change);
        assert.equal(answer.status, 422, `${url}: ${answer.text()}`);
      }
    }
  });
});

describe('a hostile space in its frame', () => {
  let service: TestService;
  let browser: Browser;
  let victim: SignedUp;
  let owner: Persona;
  let own: string;
  let slug: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    ({ creator: owner, viewer: victim } = await creatorWithBrowser(service, 'victim'));
    own = (await publishLive(service, owner)).space.slug;
    ({ slug } = (await publishLive(service, await service.creator('mallory'), hostileSpace(own))).space);
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  it('cannot reach the page, its cookies, its storage or its navigation', async () => {
    const url = `${service.baseUrl}/s/${slug}`;
    const context = await openContext(browser, undefined, { url, as: victim });
    const page = await context.newPage();
    // A frame may open dialogs: the browser shows that they come from the space's origin.
    page.on('dialog', (dialog) => void dialog.dismiss());
    // Gives the frame an earlier page that it could navigate back to.
    await page.goto(service.baseUrl);
    await page.evaluate(() => localStorage.setItem('kept', 'mine'));
    // The test evaluates nothing until the attack has ended, because an evaluation counts as a user's press.
    const ended = page.waitForEvent('console', {
      predicate: (message) => message.text().startsWith('attempts '),
      timeout: 60_000,
    });
    const cookies = await context.cookies();
    await page.goto(url);
    const results: Record<string, string> = JSON.parse((await ended).text().slice('attempts '.length));
    const reached = Object.keys(results).filter((name) => results[name] === 'reached');
    assert.deepEqual(reached, ['its own document'], JSON.stringify(results, null, 1));

    assert.equal(page.url(), url);
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Moon Hopper');
    assert.deepEqual(await page.evaluate(() => [localStorage.getItem('kept'), localStorage.getItem('own')]), [
      'mine',
      null,
    ]);
    const ofTheService = (list: typeof cookies) => list.filter(({ domain }) => domain === 'localhost');
    assert.deepEqual(ofTheService(await context.cookies()), ofTheService(cookies));
    assert.equal(context.pages().length, 1);
    assert.equal(await page.locator('.toast').count(), 0);
    assert.equal(await page.evaluate(() => document.pointerLockElement ?? document.fullscreenElement), null);
    // Requests in the victim's name changed nothing, and the victim is still signed in.
    assert.equal((await owner.client.readSecret({ params: { slug: own } })).secret, null);
    assert.equal((await victim.get('/dashboard')).status, 200);
    assert.equal((await page.request.get('/dashboard', { maxRedirects: 0 })).status(), 200);
    await context.close();
  });

  it('cannot navigate its own frame to another site or to our pages', async () => {
    // A space that tries nothing else: an evaluation counts as a press, with which a space may fill the screen. A hostile
    // space leaves out the module, which would keep the frame in its space.
    const quiet = { 'index.html': '<!doctype html><title>Game</title><h1>A game</h1>' };
    const { space } = await publishLive(service, await service.creator('trudy'), quiet, { sdk: false });
    const url = `${service.baseUrl}/s/${space.slug}`;
    const context = await openContext(browser, undefined, { url, as: victim });
    const page = await context.newPage();
    await page.goto(url);
    await takenOver(page);
    const heading = page.frameLocator('iframe').getByRole('heading', { name: 'A game' });
    for (const elsewhere of [
      `${service.baseUrl}/sign-out`,
      `${service.baseUrl}/settings`,
      `http://127.0.0.1:${service.port}/`,
    ]) {
      await heading.waitFor();
      const [, inside] = page.frames();
      assert.ok(inside);
      const left = page.waitForEvent('framenavigated', (frame) => frame === inside);
      await inside.evaluate((to) => {
        location.href = to;
      }, elsewhere);
      assert.match((await left).url(), /^chrome-error:/u);
      assert.equal(page.url(), url);
      await page.getByRole('button', { name: 'Restart' }).click();
    }
    await heading.waitFor();
    await context.close();
  });
});

async function nothing(_page: Page): Promise<void> {}

/** Accepts only the console's message about a 404. */
function onlyNotFound(error: unknown): void {
  assert.match(String(error), /status of 404/u);
}

/** Runs in the page. Returns signs of markup that should not be there, one line each. */
function signsOfMarkup(): string[] {
  const signs: string[] = [];
  if (Reflect.get(window, 'isOwned')) signs.push('a script ran');
  for (const element of document.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on') || name === 'srcdoc') signs.push(`${element.tagName} has ${name}`);
      if (['href', 'src', 'action', 'formaction'].includes(name) && !/^(?:https?:|\/|#|\?|$)/u.test(value))
        signs.push(`${element.tagName} leads to ${value}`);
    }
  }
  // Text before another text must not change the other one's writing direction.
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const word = /[A-Za-z@][a-z]+/u.exec(node.textContent ?? '');
    if (!word || /[\u202a-\u202e\u2066-\u2069]/u.test(node.textContent ?? '')) continue;
    const range = document.createRange();
    const leftOf = (at: number) => {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect();
    };
    const first = leftOf(word.index);
    const last = leftOf(word.index + word[0].length - 1);
    if (first.width > 0 && first.top === last.top && first.left > last.left)
      signs.push(`${node.textContent} is turned round`);
  }
  return signs;
}
