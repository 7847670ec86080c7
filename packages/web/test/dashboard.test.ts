import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publishFiles, publishLive } from '../../server/test/files.ts';
import { dashboardOfSuite } from './dashboard-pages.ts';
import { walk } from './walk.ts';

describe('the dashboard', () => {
  const { opened, at, manage, using, toast, freshSpace } = dashboardOfSuite();

  describe('looks right', () => {
    it('with nothing in it', () =>
      walk(opened().browser, { name: 'dashboard-empty', url: at('/dashboard'), as: opened().newcomer }));

    it('with spaces', () =>
      walk(opened().browser, { name: 'dashboard', url: at('/dashboard'), as: opened().viewer }));

    it('while a page is listed', () =>
      walk(opened().browser, {
        name: 'dashboard-list',
        url: at('/dashboard'),
        as: opened().viewer,
        until: async (page) => {
          await page.getByRole('button', { name: 'List a page' }).click();
          await page.getByRole('dialog').waitFor();
        },
      }));

    it('in its versions', () =>
      walk(opened().browser, {
        name: 'manage-versions',
        url: manage('versions'),
        as: opened().viewer,
        until: (page) => page.getByRole('region', { name: /^Files of version/u }).waitFor(),
      }));

    it('in its page settings', () =>
      walk(opened().browser, {
        name: 'manage-page',
        url: manage('page'),
        as: opened().viewer,
        until: (page) => page.getByLabel('Title').waitFor(),
      }));

    it('in its boards', () =>
      walk(opened().browser, {
        name: 'manage-boards',
        url: manage('boards'),
        as: opened().viewer,
        until: (page) => page.getByRole('button', { name: 'Replace it' }).waitFor(),
      }));

    it('shows a menu beside its button in the first frame that has it', () =>
      using(manage('boards'), async (page) => {
        const gap = await page.getByRole('button', { name: 'Actions for Fastest night' }).evaluate(
          (button) =>
            new Promise<number>((resolve) => {
              // This event may come after the first frame, so the place of the menu must not depend on it.
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

    it('moves in a menu by arrow keys, and back to its button with Escape', () =>
      using(manage('boards'), async (page) => {
        const focused = () => page.evaluate(() => document.activeElement?.textContent);
        const button = page.getByRole('button', { name: 'Actions for Fastest night' });
        await button.press('Enter');
        await page.getByRole('button', { name: 'Edit' }).and(page.locator(':focus')).waitFor();
        const heard: unknown[] = [];
        for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'Home', 'End']) {
          await page.keyboard.press(key);
          heard.push(await focused());
        }
        assert.deepEqual(heard, ['Delete', 'Edit', 'Delete', 'Edit', 'Delete']);
        assert.equal(await page.evaluate(() => scrollY), 0);
        await page.keyboard.press('Escape');
        await page.waitForFunction(
          (label) => document.activeElement?.ariaLabel === label,
          'Actions for Fastest night',
        );
      }));

    it('while a board is edited', () =>
      walk(opened().browser, {
        name: 'manage-board-edit',
        url: manage('boards'),
        as: opened().viewer,
        until: async (page) => {
          await page.getByRole('button', { name: 'Actions for Fastest night' }).click();
          await page.getByRole('button', { name: 'Edit' }).and(page.locator(':visible')).click();
          await page.getByRole('dialog').waitFor();
        },
      }));

    it('in its players', () =>
      walk(opened().browser, {
        name: 'manage-players',
        url: manage('players'),
        as: opened().viewer,
        until: (page) => page.getByRole('region', { name: /^Standings of/u }).waitFor(),
      }));

    it('in its activity', () =>
      walk(opened().browser, {
        name: 'manage-activity',
        url: manage('activity'),
        as: opened().viewer,
        until: (page) => page.getByRole('heading', { name: 'Scores' }).waitFor(),
      }));
  });

  it('asks a visitor to sign in, and is shown only to the owner', async () => {
    const visitor = await opened().service.get(at(`/dashboard/${opened().slug}`));
    assert.equal(visitor.status, 303);
    assert.match(String(visitor.headers.location), /^\/sign-in\?next=/u);
    assert.equal((await opened().newcomer.get(`/dashboard/${opened().slug}`)).status, 404);
  });

  it('makes a preview live, and serves the same files', async () => {
    const own = await freshSpace();
    await publishFiles(opened().creator, { 'index.html': 'two' }, { space: own });
    await using(manage('versions', own), async (page) => {
      await page.getByRole('button', { name: /^Version 2/u }).click();
      await page.getByRole('button', { name: 'Go live' }).click();
      await toast(page, 'Version 3 has the same files');
      await opened().service.settle();
      // The page updates by itself, without a reload.
      await page.locator('.version--live', { hasText: '3' }).waitFor();
      await page.getByText('Version 3 is live', { exact: true }).waitFor();
    });
    assert.equal((await opened().creator.client.readSpace({ params: { slug: own } })).live_version, 3);
  });

  it('shows a verdict that came before the page’s first request for it', async () => {
    const own = await freshSpace();
    await publishFiles(opened().creator, { 'index.html': 'two' }, { space: own });
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
      await opened().service.settle();
      judged.resolve();
      await page.getByText('Version 3 is live', { exact: true }).waitFor();
    });
  });

  it('rolls back after confirmation, and undoes that', async () => {
    const own = await freshSpace();
    await publishLive(opened().service, opened().creator, { 'index.html': 'two' }, { space: own });
    const live = async () =>
      (await opened().creator.client.readSpace({ params: { slug: own } })).live_version;
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

  it('says why a version was refused, and requests a review once', async () => {
    await using(manage('versions'), async (page) => {
      await page.getByText('Refused for it').first().waitFor();
      await page.getByRole('button', { name: 'Ask for a review' }).click();
      await page.getByText('You asked for a review').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Ask for a review' }).count(), 0);
    });
    const operator = await opened().service.creator('judge', { operator: true });
    const { reviews } = (await operator.call('GET', '/api/operator/reviews')).json();
    const { id } = reviews.find((each: { space: { slug: string } }) => each.space.slug === opened().slug);
    const answer = await operator.call('POST', `/api/operator/reviews/${id}`, {
      decision: 'decline',
      reason: 'It still leads to a shop.',
    });
    assert.equal(answer.status, 200, answer.text());
    await walk(opened().browser, {
      name: 'dashboard-declined',
      url: manage('versions'),
      as: opened().viewer,
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
      for (const label of ['Preview link', 'The same, without the page around it'])
        assert.equal(
          (await opened().service.get(await page.getByLabel(label).inputValue())).status,
          200,
          label,
        );
    });
  });

  it('adds no step to the history for what is shown already', () =>
    using(manage('versions'), async (page) => {
      const steps = await page.evaluate(() => history.length);
      for (let presses = 0; presses < 2; presses++)
        await page.getByRole('link', { name: 'Activity' }).click();
      for (let presses = 0; presses < 2; presses++)
        await page.getByRole('button', { name: '90 days' }).click();
      assert.equal(await page.evaluate(() => history.length), steps + 2);
      await page.goBack();
      await page.getByRole('button', { name: '30 days', pressed: true }).waitFor();
    }));

  it('can be used by keyboard alone', async () => {
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
