import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { usePage } from './walk.ts';

describe('a dropped folder whose create is done and not answered', () => {
  let service: TestService;
  let browser: Browser;
  let folder: string;
  let creator: SignedUp;
  before(async () => {
    [service, browser] = await Promise.all([
      startService({ environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '1000' } }),
      openBrowser(),
    ]);
    folder = mkdtempSync(join(tmpdir(), 'spaceport-drop-'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Tide Keeper</title><h1>Tide</h1>');
    creator = await signUp(service, { handle: 'dropper', name: 'Dora' });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const spaces = async () => {
    const { db } = service.service.platform.database;
    return (await db.selectFrom('spaces').select('slug').execute()).map(({ slug }) => slug);
  };

  for (const isSignedIn of [true, false])
    it(`makes one space when it is published again, ${isSignedIn ? 'by an account' : 'without one'}`, () =>
      usePage(
        browser,
        {
          url: `${service.baseUrl}/drop`,
          as: isSignedIn ? creator : undefined,
          timeoutMs: 20_000,
          mayComplain: /ERR_FAILED/u,
        },
        async (page) => {
          const before = await spaces();
          let isLost = true;
          let lost = 0;
          await page.route('**/api/v1/hosting/versions', async (route) => {
            if (!isLost || JSON.parse(route.request().postData() ?? '{}').dryRun) return route.continue();
            await route.fetch();
            lost += 1;
            await route.abort();
          });
          await page.locator('input[data-kind=folder]').setInputFiles(folder);
          await page.getByRole('button', { name: 'Publish a preview' }).click();
          await page.locator('[role=alert]').waitFor();
          assert.ok(lost > 1);
          assert.equal((await spaces()).length, before.length + 1);
          isLost = false;
          await page.getByRole('button', { name: 'Publish a preview' }).click();
          await page.getByRole('heading', { name: 'Tide Keeper is ready to try' }).waitFor();
          const made = (await spaces()).filter((slug) => !before.includes(slug));
          if (isSignedIn) return assert.deepEqual(made, ['tide-keeper']);
          assert.equal(made.length, 1);
          assert.match(await page.getByLabel('Claim link').inputValue(), /\/claim#sp_claim_/u);
        },
      ));
});
