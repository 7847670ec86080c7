import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishFiles, publishLive } from '../../server/test/files.ts';
import { type PageServer, startPages } from '../../server/test/pages.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { fillDashboard } from './dashboard-seed.ts';
import { findingsOf, listen, openContext, takenOver, walk } from './walk.ts';

/** Refusals that are the point of a test are also in the console. */
const refusals = /status of 4\d\d/u;

describe('the dashboard', () => {
  let pages: PageServer;
  let service: TestService;
  let browser: Browser;
  let newcomer: SignedUp;
  let creator: Persona;
  let viewer: SignedUp;
  let slug: string;
  before(async () => {
    pages = await startPages();
    [service, browser] = await Promise.all([
      startService({ environment: { PUBLISHES_PER_HOUR: '1000', FETCH_ALLOW: pages.address } }),
      openBrowser(),
    ]);
    newcomer = await signUp(service, { handle: 'newcomer' });
    ({ creator, viewer, slug } = await fillDashboard(service, browser));
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    await pages?.[Symbol.asyncDispose]();
  });

  const at = (path: string) => `${service.baseUrl}${path}`;
  const manage = (section: string, of = slug) => at(`/dashboard/${of}?section=${section}`);

  /** A window of the creator's, on one section. It must complain about nothing but what is allowed. */
  async function using(url: string, work: (page: Page) => Promise<void>, mayComplain?: RegExp) {
    const context = await openContext(browser, undefined, { url, as: viewer });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(8_000);
      const complaints = listen(page, mayComplain);
      await page.goto(url);
      await takenOver(page);
      await work(page);
      assert.deepEqual(await findingsOf(page), []);
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  }
  const toast = (page: Page, text: string | RegExp) => page.locator('.toast', { hasText: text }).waitFor();
  /** A space of its own, so that what one test changes no other one sees. */
  const freshSpace = async () => (await publishLive(service, creator)).space.slug;

  describe('looks right', () => {
    it('with nothing in it', () =>
      walk(browser, { name: 'dashboard-empty', url: at('/dashboard'), as: newcomer }));

    it('with spaces', () => walk(browser, { name: 'dashboard', url: at('/dashboard'), as: viewer }));

    it('while a page is listed', () =>
      walk(browser, {
        name: 'dashboard-list',
        url: at('/dashboard'),
        as: viewer,
        until: async (page) => {
          await page.getByRole('button', { name: 'List a page' }).click();
          await page.getByRole('dialog').waitFor();
        },
      }));

    it('in its versions', () =>
      walk(browser, {
        name: 'manage-versions',
        url: manage('versions'),
        as: viewer,
        until: (page) => page.getByRole('region', { name: /^Files of version/u }).waitFor(),
      }));

    it('in its page settings', () =>
      walk(browser, {
        name: 'manage-page',
        url: manage('page'),
        as: viewer,
        until: (page) => page.getByLabel('Title').waitFor(),
      }));

    it('in its boards', () =>
      walk(browser, {
        name: 'manage-boards',
        url: manage('boards'),
        as: viewer,
        until: (page) => page.getByRole('button', { name: 'Replace it' }).waitFor(),
      }));

    it('shows a menu beside its button in the first frame that has it', () =>
      using(manage('boards'), async (page) => {
        const gap = await page.getByRole('button', { name: 'Actions for Fastest night' }).evaluate(
          (button) =>
            new Promise<number>((resolve) => {
              // This event may come after the first frame, so that nothing of the place may hang on it.
              addEventListener('toggle', (event) => event.stopImmediatePropagation(), { capture: true });
              if (button instanceof HTMLElement) button.click();
              requestAnimationFrame(() => {
                const from = button.getBoundingClientRect();
                const list = document.querySelector('.menu-list:popover-open')?.getBoundingClientRect();
                resolve(list ? Math.max(list.top - from.bottom, from.top - list.bottom) : Number.NaN);
              });
            }),
        );
        assert.equal(Math.round(gap), 4);
      }));

    it('while a board is edited', () =>
      walk(browser, {
        name: 'manage-board-edit',
        url: manage('boards'),
        as: viewer,
        until: async (page) => {
          await page.getByRole('button', { name: 'Actions for Fastest night' }).click();
          await page.getByRole('button', { name: 'Edit' }).and(page.locator(':visible')).click();
          await page.getByRole('dialog').waitFor();
        },
      }));

    it('in its players', () =>
      walk(browser, {
        name: 'manage-players',
        url: manage('players'),
        as: viewer,
        until: (page) => page.getByRole('region', { name: /^Standings of/u }).waitFor(),
      }));

    it('in its activity', () =>
      walk(browser, {
        name: 'manage-activity',
        url: manage('activity'),
        as: viewer,
        until: (page) => page.getByRole('heading', { name: 'Scores' }).waitFor(),
      }));
  });

  it('asks a visitor to sign in, and is nobody else’s', async () => {
    const visitor = await service.get(at(`/dashboard/${slug}`));
    assert.equal(visitor.status, 303);
    assert.match(String(visitor.headers.location), /^\/sign-in\?next=/u);
    assert.equal((await newcomer.get(`/dashboard/${slug}`)).status, 404);
  });

  it('makes a preview live, from its files alone', async () => {
    const own = await freshSpace();
    await publishFiles(creator, { 'index.html': 'two' }, { space: own });
    await using(manage('versions', own), async (page) => {
      await page.getByRole('button', { name: /^Version 2/u }).click();
      await page.getByRole('button', { name: 'Go live' }).click();
      await toast(page, 'Version 3 has the same files');
      await service.settle();
      // Watched, not loaded again.
      await page.locator('.version--live', { hasText: '3' }).waitFor();
      await page.getByText('Version 3 is live', { exact: true }).waitFor();
    });
    assert.equal((await creator.client.readSpace({ params: { slug: own } })).live_version, 3);
  });

  it('shows a verdict that was there before it looked', async () => {
    const own = await freshSpace();
    await publishFiles(creator, { 'index.html': 'two' }, { space: own });
    await using(manage('versions', own), async (page) => {
      await page.getByRole('button', { name: /^Version 2/u }).click();
      const judged = Promise.withResolvers<void>();
      await page.route('**/spaces/*/versions', async (route) => {
        await judged.promise;
        await route.continue();
      });
      const finished = page.waitForResponse(/\/finish$/u);
      await page.getByRole('button', { name: 'Go live' }).click();
      await finished;
      await service.settle();
      judged.resolve();
      await page.getByText('Version 3 is live', { exact: true }).waitFor();
    });
  });

  it('rolls back once it was asked, and takes that back', async () => {
    const own = await freshSpace();
    await publishLive(service, creator, { 'index.html': 'two' }, { space: own });
    const live = async () => (await creator.client.readSpace({ params: { slug: own } })).live_version;
    await using(manage('versions', own), async (page) => {
      await page.getByRole('button', { name: /^Version 1/u }).click();
      await page.getByRole('button', { name: 'Roll back to 1' }).click();
      assert.equal(await live(), 2);
      await page.getByRole('dialog').getByRole('button', { name: 'Roll back', exact: true }).click();
      await toast(page, 'Version 1 is live.');
      assert.equal(await live(), 1);
      await page.getByRole('button', { name: 'Undo' }).click();
      await toast(page, 'Version 2 is live again.');
      assert.equal(await live(), 2);
    });
  });

  it('says why a version was refused, and asks for a review once', async () => {
    await using(manage('versions'), async (page) => {
      await page.getByText('Refused for it').first().waitFor();
      await page.getByRole('button', { name: 'Ask for a review' }).click();
      await page.getByText('You asked for a review').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Ask for a review' }).count(), 0);
    });
    const operator = await service.creator('judge', { operator: true });
    const { reviews } = (await operator.call('GET', '/api/operator/reviews')).json();
    const { id } = reviews.find((each: { space: { slug: string } }) => each.space.slug === slug);
    const answer = await operator.call('POST', `/api/operator/reviews/${id}`, {
      decision: 'decline',
      reason: 'It still leads to a shop.',
    });
    assert.equal(answer.status, 200, answer.text());
    await walk(browser, {
      name: 'dashboard-declined',
      url: manage('versions'),
      as: viewer,
      until: async (page) => {
        await page.getByText(/An operator declined this version .*: It still leads to a shop\./u).waitFor();
        assert.equal(await page.getByText('asked for a review').count(), 0);
        assert.equal(await page.getByText('ask a person to look').count(), 0);
      },
    });
  });

  it('makes a new preview link, which opens', async () => {
    const own = await freshSpace();
    await using(manage('versions', own), async (page) => {
      await page.getByRole('button', { name: /^Version 1/u }).click();
      await page.getByRole('button', { name: 'Make a preview link' }).click();
      for (const label of ['Preview link', 'The same, alone in its window'])
        assert.equal((await service.get(await page.getByLabel(label).inputValue())).status, 200, label);
    });
  });

  it('saves what was changed, and keeps it while another section is looked at', async () => {
    const own = await freshSpace();
    await using(manage('page', own), async (page) => {
      await page.getByLabel('Title').fill('Moon Hopper II');
      await page.getByLabel('Colour', { exact: true }).fill('#c2410c');
      await page.getByRole('link', { name: 'Activity' }).click();
      await page.getByRole('link', { name: 'Page', exact: true }).click();
      assert.equal(await page.getByLabel('Title').inputValue(), 'Moon Hopper II');
      await page.getByRole('button', { name: 'Save' }).click();
      await toast(page, 'Saved.');
      await page.getByRole('heading', { level: 1, name: 'Moon Hopper II' }).waitFor();
    });
    const { title, page } = await creator.client.readSpace({ params: { slug: own } });
    assert.deepEqual([title, page.accent], ['Moon Hopper II', '#c2410c']);
  });

  it('names the field that is wrong, and saves nothing', async () => {
    const own = await freshSpace();
    await using(
      manage('page', own),
      async (page) => {
        await page.getByLabel('Source code').fill('not an address');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Write a whole address, https://example.com/ for example.').first().waitFor();
        assert.equal(await page.getByLabel('Source code').getAttribute('aria-invalid'), 'true');
      },
      refusals,
    );
    assert.equal((await creator.client.readSpace({ params: { slug: own } })).source_url, null);
  });

  it('does not overwrite what another tab changed, and takes in what is in nobody’s way', async () => {
    const own = await freshSpace();
    const change = (body: { title?: string; engine?: string }) =>
      creator.client.changeSpace({ params: { slug: own }, body });
    const title = async () => (await creator.client.readSpace({ params: { slug: own } })).title;
    await using(
      manage('page', own),
      async (page) => {
        await page.getByLabel('Title').fill('Mine');
        await change({ engine: 'Godot' });
        await page.getByRole('button', { name: 'Save' }).click();
        await toast(page, 'Saved.');
        // So that the next one is told from this one.
        await page.locator('.toast').getByRole('button', { name: 'Close' }).click();
        assert.equal(await page.getByRole('textbox', { name: 'Engine' }).inputValue(), 'Godot');

        await page.getByLabel('Title').fill('Mine again');
        await change({ title: 'Theirs' });
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Changed elsewhere too: title.').waitFor();
        assert.equal(await title(), 'Theirs');
        await page.getByRole('button', { name: 'Save mine' }).click();
        await toast(page, 'Saved.');
        assert.equal(await title(), 'Mine again');
      },
      refusals,
    );
  });

  it('shows an earlier picture for good, and chooses the moment of the next', () =>
    using(manage('page'), async (page) => {
      await page.getByText('Another moment, or an earlier picture').click();
      await page.getByLabel('When the next one is taken').selectOption('5 seconds after it has loaded');
      await page.getByRole('button', { name: 'Show picture 1' }).click();
      await page.getByText('Players see the picture that you chose').waitFor();
      const { cover } = (await creator.call('GET', `/api/spaces/${slug}`)).json();
      assert.match(cover.url, /\/cover-[^/]+\.webp$/u);
      await page.getByRole('button', { name: 'Take it away' }).click();
      await page.getByText('Or show a picture of your own').waitFor();
    }));

  it('moves a space once its page names the owner, and says what to do until then', async () => {
    const own = await freshSpace();
    const url = pages.put('/moved', '');
    await using(
      manage('page', own),
      async (page) => {
        await page.getByRole('button', { name: 'Move it to another address' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('New address').fill(url);
        await dialog.getByRole('button', { name: 'Move', exact: true }).click();
        await dialog.getByText(`content="${creator.handle}"`).waitFor();
        pages.put('/moved', `<meta name="service-owner" content="${creator.handle}">`);
        await dialog.getByRole('button', { name: 'Try again' }).click();
        await toast(page, 'Moved.');
      },
      refusals,
    );
    assert.equal((await creator.client.readSpace({ params: { slug: own } })).url, url);
  });

  it('lists a page, and claims it', async () => {
    const url = pages.put('/listed', '');
    await using(
      at('/dashboard'),
      async (page) => {
        await page.getByRole('button', { name: 'List a page' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Address').fill(url);
        await dialog.getByLabel('Title').fill('Elsewhere');
        await dialog.getByLabel('Type').selectOption('tool');
        await dialog.getByLabel('Desktop').check();
        await dialog.getByRole('button', { name: 'List it' }).click();
        await page.getByRole('heading', { name: 'Elsewhere is listed' }).waitFor();
        await page.getByRole('link', { name: 'Go on' }).click();
        await page.getByRole('button', { name: 'Check the page' }).click();
        await page.getByText('has no proof tag').waitFor();
        pages.put('/listed', `<meta name="service-owner" content="${creator.handle}">`);
        await page.getByRole('button', { name: 'Check the page' }).click();
        await toast(page, 'It is yours now.');
      },
      refusals,
    );
  });

  it('adds a board, edits it and deletes it, saying what is lost', async () => {
    const own = await freshSpace();
    await using(manage('boards', own), async (page) => {
      await page.getByRole('button', { name: 'Add a board' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Key').fill('height');
      await dialog.getByLabel('Title').fill('Highest');
      await dialog.getByLabel('What is measured').selectOption('distance');
      await dialog.getByRole('button', { name: 'Add it' }).click();
      await toast(page, 'The board is there.');
      const actions = page.getByRole('button', { name: 'Actions for Highest' });
      await actions.click();
      await page.getByRole('button', { name: 'Delete' }).and(page.locator(':visible')).click();
      await page.getByText('Every score on it is lost').waitFor();
      await page.getByRole('button', { name: 'Delete the board' }).click();
      await toast(page, 'Deleted');
      await actions.waitFor({ state: 'detached' });
    });
    assert.deepEqual((await creator.client.readBoards({ params: { slug: own } })).boards, []);
  });

  it('shows a secret once, and warns before it is replaced', async () => {
    const own = await freshSpace();
    await using(manage('boards', own), async (page) => {
      await page.getByRole('button', { name: 'Issue a secret' }).click();
      const field = page.getByRole('textbox', { name: 'Board secret' });
      const first = await field.inputValue();
      assert.match(first, /^sp_secret_/u);
      await page.getByRole('button', { name: 'Replace it' }).click();
      await page.getByText('is refused at once').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Replace it' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.notEqual(await field.inputValue(), first);
      await page.reload();
      await page.getByRole('button', { name: 'Replace it' }).waitFor();
      assert.equal(await field.count(), 0);
    });
  });

  it('bans a player out of the standings, and takes that back', async () => {
    await using(manage('players'), async (page) => {
      const row = page
        .getByRole('region', { name: /^Standings of/u })
        .getByRole('link', { name: '@kestrel' });
      await row.waitFor();
      await page.getByRole('button', { name: 'Actions for @kestrel' }).click();
      await page.getByRole('button', { name: 'Ban the player' }).and(page.locator(':visible')).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Ban the player' }).click();
      await toast(page, '@kestrel is banned.');
      await row.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await row.waitFor();
    });
    assert.deepEqual(
      (await creator.client.readBans({ params: { slug } })).bans.map(({ handle }) => handle),
      ['sorrel'],
    );
  });

  it('finds the scores of a player, says what they are, and deletes them', async () => {
    const own = await freshSpace();
    await creator.client.putBoards({ params: { slug: own }, body: { boards: [{ key: 'points' }] } });
    const { secret } = await creator.client.issueSecret({ params: { slug: own } });
    for (const score of [5, 6])
      await service.anonymous.call(
        'POST',
        '/api/v1/scores',
        { board: 'points', player: 'kestrel', score },
        { authorization: `Bearer ${secret}` },
      );
    await using(manage('players', own), async (page) => {
      await page.getByRole('button', { name: 'Find the scores' }).click();
      await page.getByText('Name a version, a player or a time.').waitFor();
      await page.getByLabel('Of a player', { exact: true }).fill('@kestrel');
      await page.getByRole('button', { name: 'Find the scores' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete 2 scores?' });
      await dialog.getByText('points: 2 of one player').waitFor();
      await dialog.getByText('@kestrel 6, @kestrel 5').waitFor();
      await dialog.getByRole('button', { name: 'Delete them' }).click();
      await page.getByText('Deleted: 2 scores.').waitFor();
    });
    const { entries } = (
      await service.anonymous.call('GET', `/api/gallery/${own}/boards/points/entries`)
    ).json();
    assert.deepEqual(entries, []);
  });

  it('resets the sandbox, and says exactly what went', async () => {
    await using(manage('players'), async (page) => {
      await page.getByRole('button', { name: 'Reset the sandbox' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reset it' }).click();
      await page.getByText('Deleted: scores: 2,').waitFor();
    });
  });

  it('tells by keyboard alone', async () => {
    await using(manage('versions'), async (page) => {
      await page.getByRole('link', { name: 'Activity' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Plays' }).waitFor();
      await page.getByText('Every day as a table').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Activity by day' }).waitFor();
      assert.equal(await page.getByRole('row').count(), 31);
    });
  });
});
