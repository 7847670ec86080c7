import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeOf } from '../../server/test/answers.ts';
import { dashboardOfSuite } from './dashboard-pages.ts';

/** Some tests provoke refusals, which the console reports too. */
const refusals = /status of 4\d\d/u;

describe('the settings of a space in the dashboard', () => {
  const { opened, at, manage, using, toast, freshSpace } = dashboardOfSuite();

  it('save changes, and keep them while another section is open', async () => {
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
    const { title, page } = await opened().creator.client.readSpace({ params: { slug: own } });
    assert.deepEqual([title, page.accent], ['Moon Hopper II', '#c2410c']);
  });

  it('name an invalid field, and save nothing', async () => {
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
    assert.equal((await opened().creator.client.readSpace({ params: { slug: own } })).source_url, null);
  });

  it('do not overwrite changes of another tab to the same field, and merge changes to other fields', async () => {
    const own = await freshSpace();
    const change = (body: { title?: string; engine?: string }) =>
      opened().creator.client.changeSpace({ params: { slug: own }, body });
    const title = async () => (await opened().creator.client.readSpace({ params: { slug: own } })).title;
    await using(
      manage('page', own),
      async (page) => {
        await page.getByLabel('Title').fill('Mine');
        await change({ engine: 'Godot' });
        await page.getByRole('button', { name: 'Save' }).click();
        await toast(page, 'Saved.');
        // Closes this message, so that the next one is not mistaken for it.
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

  it('go on after a save whose answer was lost, and ask nobody to choose between two texts of their own', async () => {
    const own = await freshSpace();
    const title = async () => (await opened().creator.client.readSpace({ params: { slug: own } })).title;
    await using(
      manage('page', own),
      async (page) => {
        const save = page.getByRole('button', { name: 'Save' });
        const isSave = new RegExp(`/api/spaces/${own}$`, 'u');
        await page.route(isSave, async (route) => {
          if (route.request().method() === 'PATCH') await route.fetch();
          await route.abort();
        });
        await page.getByLabel('Title').fill('First');
        await save.click();
        await page.getByRole('alert').waitFor();
        assert.equal(await title(), 'First');
        await page.getByLabel('Title').fill('First, and second');
        await save.click();
        await page.locator('.save-bar [aria-busy]').waitFor({ state: 'detached' });
        await page.getByRole('alert').waitFor();
        assert.equal(await page.getByLabel('Title').inputValue(), 'First, and second');
        await page.unroute(isSave);
        await save.click();
        await toast(page, 'Saved.');
        assert.equal(await title(), 'First, and second');
      },
      /ERR_FAILED|status of 412/u,
    );
  });

  it('name what a row is about in a few lines on a phone', async () => {
    const own = await freshSpace();
    const boards = [{ key: 'night', title: 'The night flight over the long lake' }];
    await opened().creator.call('PUT', `/api/spaces/${own}/boards`, { boards });
    await using(manage('boards', own), async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      const name = page.getByRole('cell', { name: 'The night flight' }).first();
      await name.waitFor();
      const lines = await name.evaluate(
        (cell) => cell.clientHeight / Number.parseFloat(getComputedStyle(cell).lineHeight),
      );
      assert.ok(lines < 5, `${lines} lines`);
    });
  });

  it('show an earlier picture permanently, and set the time of the next one', () =>
    using(manage('page'), async (page) => {
      await page.getByText('Another moment, or an earlier picture').click();
      await page.getByLabel('When the next one is taken').selectOption('5 seconds after it has loaded');
      await page.getByRole('button', { name: 'Show picture 1' }).click();
      await page.getByText('Players see the picture that you chose').waitFor();
      const { cover } = (await opened().creator.call('GET', `/api/spaces/${opened().slug}`)).json();
      assert.match(cover.url, /\/cover-[^/]+\.webp$/u);
      await page.getByRole('button', { name: 'Take it away' }).click();
      await page.getByText('Or show your own picture').waitFor();
    }));

  it('keep a picture that was chosen while the one before was sent', async () => {
    const own = await freshSpace();
    await using(manage('page', own), async (page) => {
      const held = Promise.withResolvers<void>();
      await page.route('**/cover', async (route) => {
        await held.promise;
        await route.fulfill({ json: await opened().creator.client.readSpace({ params: { slug: own } }) });
      });
      const choose = (name: string) =>
        page
          .getByLabel('Your own picture')
          .setInputFiles({ name, mimeType: 'image/png', buffer: Buffer.from(name) });
      await choose('first.png');
      const sent = page.waitForRequest('**/cover');
      await page.getByRole('button', { name: 'Show it' }).click();
      await sent;
      await choose('second.png');
      const read = page.waitForResponse(`**/api/spaces/${own}`);
      held.resolve();
      await read;
      await page.getByRole('button', { name: 'Show it', disabled: false }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'second.png' }).count(), 1);
    });
  });

  it('move a space once its new page names the owner, and say what to do until then', async () => {
    const own = await freshSpace();
    const url = opened().pages.put('/moved', '');
    await using(
      manage('page', own),
      async (page) => {
        await page.getByRole('button', { name: 'Move it to another address' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('New address').fill(url);
        await dialog.getByRole('button', { name: 'Move', exact: true }).click();
        await dialog.getByText(`content="${opened().creator.handle}"`).waitFor();
        opened().pages.put('/moved', `<meta name="service-owner" content="${opened().creator.handle}">`);
        await dialog.getByRole('button', { name: 'Try again' }).click();
        await toast(page, 'Moved.');
      },
      refusals,
    );
    assert.equal((await opened().creator.client.readSpace({ params: { slug: own } })).url, url);
  });

  it('offer no host name when the service has none', async () => {
    const document = (await opened().viewer.get(`/dashboard/${opened().slug}?section=domain`)).text();
    assert.match(document, /Webhooks/u);
    assert.doesNotMatch(document, /Host name/u);
    const answer = await opened().creator.call('PUT', `/api/spaces/${opened().slug}/domain`, {
      host: 'games.maker.example',
    });
    assert.deepEqual(codeOf(answer), [409, 'conflict']);
  });

  it('list a page, and claim it', async () => {
    const url = opened().pages.put('/listed', '');
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
        opened().pages.put('/listed', `<meta name="service-owner" content="${opened().creator.handle}">`);
        await page.getByRole('button', { name: 'Check the page' }).click();
        await toast(page, 'It is yours now.');
      },
      refusals,
    );
  });

  it('add a board, edit it and delete it, after saying what is lost', async () => {
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
    assert.deepEqual((await opened().creator.client.readBoards({ params: { slug: own } })).boards, []);
  });

  it('show a secret once, and warn before it is replaced', async () => {
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
});
