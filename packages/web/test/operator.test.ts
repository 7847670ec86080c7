import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive, sha256 } from '../../server/test/files.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { game } from './seed.ts';
import { openContext, press, takenOver, walk } from './walk.ts';

/** A game that the rule of off-site password forms refuses. */
const badGame = {
  'index.html':
    '<!doctype html><title>Bad</title><h1 id="bad">Bad</h1><form method="post" action="https://elsewhere.example/"><input type="password"></form>',
};

/** A file that must not be shown. The reason for that may be as long as a letter. */
const forbidden = '<svg xmlns="http://www.w3.org/2000/svg"><!-- not ours to show --></svg>';
const forbiddenBecause =
  'A court has forbidden it: https://court.example/decisions/2026/11/22/moon-hopper-against-everybody-who-hops.';

describe('the operator’s page', () => {
  let service: TestService;
  let browser: Browser;
  let operator: SignedUp;
  let creator: Persona;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    // The first account of an installation is its operator.
    operator = await signUp(service, { handle: 'keeper', name: 'Kit' });
    creator = await service.creator('maker');
    const { space } = await publishLive(service, creator, game);
    await service.anonymous.call('POST', `/api/gallery/${space.slug}/report`, {
      reason: 'spam',
      message: '<b>Advertising</b>',
    });
    const shown = { 'index.html': '<!doctype html><title>Moon</title>', 'moon.svg': forbidden };
    for (let spaces = 0; spaces < 2; spaces++) await publishLive(service, creator, shown);
    const keeper = await service.creator('second', { operator: true });
    const body = { sha256: sha256(forbidden), reason: forbiddenBecause };
    const taken = await keeper.call('POST', '/api/operator/files', body);
    assert.equal(taken.status, 200, taken.text());
    await service.settle();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const url = (view: string) => `${service.baseUrl}/operator?view=${view}`;

  async function refused(): Promise<string> {
    const { version } = await publishLive(service, creator, badGame);
    const asked = await creator.call('POST', `/api/v1/hosting/versions/${version.id}/review`);
    assert.equal(asked.status, 200, asked.text());
    return version.id;
  }

  async function open(view: string): Promise<Page> {
    const context = await openContext(browser, undefined, { url: url(view), as: operator });
    const page = await context.newPage();
    await page.goto(url(view));
    await takenOver(page);
    return page;
  }

  it('looks right in every view', async () => {
    await refused();
    const until: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
      reviews: async (page) => {
        await page.getByRole('button', { name: 'Look at it' }).first().click();
        await page.getByText('elsewhere.example').first().waitFor();
        await page
          .getByRole('table', { name: 'Files' })
          .or(page.getByText('index.html').first())
          .first()
          .waitFor();
      },
      reports: (page) => page.getByText('<b>Advertising</b>').waitFor(),
      spaces: (page) => page.getByRole('button', { name: 'List a page' }).waitFor(),
      accounts: (page) => page.getByText('maker@example.org').waitFor(),
      addresses: (page) => page.getByText('Nothing is blocked').waitFor(),
      files: async (page) => {
        await page.getByText(forbiddenBecause).waitFor();
        await page.getByRole('link', { name: 'moon-hopper-2' }).waitFor();
        // This tab is one of the last, and must be in sight on a phone too.
        const tab = await page.getByRole('tab', { name: 'Taken down' }).boundingBox();
        assert.ok(tab && tab.x + tab.width <= (page.viewportSize()?.width ?? 0), JSON.stringify(tab));
      },
      log: (page) => page.getByRole('tabpanel').getByText(forbiddenBecause).waitFor(),
      health: async (page) => {
        await page.getByText('No job has failed for good').waitFor();
        await page.getByText('Set SMTP_URL to a mail server').waitFor();
        await staysInside(page, '.facts dd > *');
      },
    };
    for (const [view, there] of Object.entries(until))
      await walk(browser, { name: `operator-${view}`, url: url(view), as: operator, until: there });
  });

  it('asks for the hash of a file before the reason, and accepts an ETag as hash', async () => {
    const page = await open('files');
    const hash = page.getByLabel('SHA-256 of a file');
    await hash.fill('moon.svg');
    await press(page, 'Take down…');
    await page.getByText('It has 64 digits from 0 to f.').waitFor();
    // As a browser shows the ETag of a compressed file.
    await hash.fill(`W/"${sha256('another').toUpperCase()}-br"`);
    await press(page, 'Take down…');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(sha256('another').slice(0, 16)).waitFor();
    await dialog.getByLabel('Why?').fill('It is somebody else’s.');
    await press(page, 'Take down');
    const row = page.getByRole('listitem').filter({ hasText: 'It is somebody else’s.' });
    await row.getByText('no version found with it').waitFor();
    await row.getByRole('button', { name: 'Give back…' }).click();
    await dialog.getByLabel('Why?').fill('It was ours after all.');
    await press(page, 'Give back');
    await row.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('says that there are no spaces yet, and of a search that it found none', async (t) => {
    const fresh = await startService();
    t.after(() => fresh.close());
    const address = `${fresh.baseUrl}/operator?view=spaces`;
    const first = await signUp(fresh, { handle: 'first', name: 'Kim' });
    const context = await openContext(browser, undefined, { url: address, as: first });
    const page = await context.newPage();
    await page.goto(address);
    await page.getByRole('heading', { name: 'No spaces yet' }).waitFor();
    await page.goto(`${address}&space=moon`);
    await page.getByRole('heading', { name: 'No such space' }).waitFor();
    await context.close();
  });

  it('runs a version under review in a sealed frame, and declines it with a reason', async () => {
    const id = await refused();
    const page = await open('reviews');
    await page.getByRole('button', { name: 'Look at it' }).first().waitFor();
    const cards = page.locator('.operator-cards > li');
    const waiting = await cards.count();
    await page.getByRole('button', { name: 'Look at it' }).last().click();
    await page.getByRole('button', { name: 'Run it here' }).click();
    await page.frameLocator('iframe').locator('#bad').waitFor();
    assert.equal(
      await page.locator('iframe').getAttribute('sandbox'),
      'allow-scripts allow-same-origin allow-pointer-lock',
    );
    await page.getByRole('button', { name: 'Decline…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await dialog.getByText('Say why, in a few words.').waitFor();
    await dialog.getByLabel('Why?').fill('It asks for passwords.');
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await cards.count(), waiting - 1);
    const read = (await creator.call('GET', `/api/v1/hosting/versions/${id}`)).json();
    assert.deepEqual([read.status, read.reason], ['refused', 'It asks for passwords.']);
    await page.context().close();
  });

  it('removes a reported space, closes the report, and writes the audit log', async () => {
    const { space } = await publishLive(service, creator, game);
    await service.anonymous.call('POST', `/api/gallery/${space.slug}/report`, {
      reason: 'hate',
      message: 'look',
    });
    const again = { reason: 'hate', message: 'see what it says' };
    await service.anonymous.call('POST', `/api/gallery/${space.slug}/report`, again);
    const page = await open('reports');
    const card = page.getByRole('listitem').filter({ hasText: space.slug }).filter({ hasText: 'look' });
    await card.getByRole('button', { name: 'Decide…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 open reports').waitFor();
    await dialog.getByLabel('Remove the space').check();
    await dialog.getByRole('button', { name: 'Remove it' }).click();
    await dialog.getByText('Say why, in a few words.').waitFor();
    await dialog.getByLabel('Why?').fill('Hateful.');
    await dialog.getByLabel('What @maker is told').fill('It is about somebody who plays here.');
    await dialog.getByRole('button', { name: 'Remove it' }).click();
    await dialog.waitFor({ state: 'detached' });
    const own = (await creator.call('GET', `/api/spaces/${space.slug}`)).json();
    assert.equal(own.operators_message, 'It is about somebody who plays here.');
    await card.getByText('Hateful.').waitFor();
    // The decision closed this one, too.
    const other = page.getByRole('listitem').filter({ hasText: again.message });
    await other.getByText('Hateful.').waitFor();
    assert.equal(await other.getByRole('button').count(), 0);
    await page.getByRole('tab', { name: 'Audit log' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Hateful.' }).filter({ hasText: 'remove' });
    await row.getByText('@keeper').waitFor();
    assert.equal(await page.title(), 'Operate: Audit log · Spaceport');
    assert.equal((await service.anonymous.call('GET', `/api/gallery/${space.slug}`)).status, 404);
    await page.context().close();
  });

  it('asks in a dialog whose words fit, though its button is in a table', async () => {
    const page = await open('accounts');
    const dialog = page.getByRole('dialog');
    const asks = async (
      view: string,
      hasText: string,
      ask: (row: Locator) => Promise<void>,
      effect: string,
    ) => {
      await page.goto(url(view));
      await takenOver(page);
      await ask(page.getByRole('row').filter({ hasText }).first());
      await dialog.getByText(effect).waitFor();
      const { label, field, over } = await dialog.evaluate((element) => ({
        label: element.querySelector('label')?.getBoundingClientRect().left,
        field: element.querySelector('textarea')?.getBoundingClientRect().left,
        over: element.scrollWidth - element.clientWidth,
      }));
      assert.equal(over, 0);
      assert.equal(label, field);
    };
    await asks(
      'accounts',
      'maker',
      (row) => row.getByRole('button', { name: 'Ban…' }).click(),
      'it leaves every ranking',
    );
    await asks(
      'spaces',
      'listed',
      async (row) => {
        await row.getByRole('button').click();
        await page.getByRole('button', { name: 'Hide…' }).click();
      },
      'Nobody can open it',
    );
    await page.context().close();
  });

  it('is for operators only', async () => {
    const other = await signUp(service, { handle: 'curious' });
    assert.equal((await other.get('/operator')).status, 403);
    const { status, headers } = await service.get(`${service.baseUrl}/operator`);
    assert.deepEqual([status, headers.location], [303, '/sign-in?next=%2Foperator']);
  });
});

/** Checks that nothing in a card is wider than the card. */
async function staysInside(page: Page, selector: string): Promise<void> {
  const outside = await page.locator(selector).evaluateAll((elements) =>
    elements.flatMap((element) => {
      const card = element.closest('.card');
      const over = element.getBoundingClientRect().right - (card?.getBoundingClientRect().right ?? 0);
      return over > 0 ? [`${element.textContent}: ${over} px`] : [];
    }),
  );
  assert.deepEqual(outside, []);
}
