import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { type Portal, portalNames } from '@spaceport/contract/portals';
import type { Browser, Frame, Page } from 'playwright-core';
import { documentedSdks, namesOf } from '../../sdk/src/shims/documented.ts';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { shownSpace } from './seed.ts';
import { stagePages } from './stage-pages.ts';

type Said = Readonly<Record<string, unknown>>;
interface Results {
  readonly said: Said;
  readonly touched: readonly string[];
}

const conformance = new URL('../../sdk/test/conformance/', import.meta.url);
const boards = [{ key: 'ours', trust: 'server' as const }, { key: 'points' }];
/** Methods that ask the player something. This test never calls them. */
const asked = ['user.showAuthPrompt', 'login'];
/** Hosts of the portals. Pages must load nothing from them. */
const portalHosts = /crazygames\.com|poki\.com|youtube\.com/u;

/** The browser gives frames of other sites no storage of their own, as current browsers do by default. */
describe('games that were made for other portals, on the page of the service', () => {
  let service: TestService;
  let browser: Browser;
  let creator: Persona;
  let player: SignedUp;
  const slugs = new Map<Portal, string>();
  before(async () => {
    [service, browser] = await Promise.all([
      startService({ environment: { PUBLISHES_PER_HOUR: '1000', GUESTS_PER_HOUR: '1000' } }),
      openBrowser(),
    ]);
    creator = await service.creator('mira');
    player = await signUp(service, { handle: 'portal_player' });
    for (const portal of portalNames) {
      const files = {
        'index.html': await readFile(new URL(`${portal}.html`, conformance)),
        'calls.js': await readFile(new URL('calls.js', conformance)),
      };
      slugs.set(
        portal,
        (await publishLive(service, creator, files, { fields: shownSpace, boards })).space.slug,
      );
    }
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });
  const { pageOf, boardOf, using } = stagePages(() => ({ service, browser }));

  async function resultsOf(page: Page): Promise<Results> {
    await page.locator('iframe.frame').waitFor();
    const frame = await (await page.locator('iframe.frame').elementHandle())?.contentFrame();
    assert.ok(frame);
    // Until the game is in the frame, the page's policy forbids what the next line evaluates.
    await frame.waitForURL(({ protocol }) => protocol !== 'about:');
    await frame.waitForFunction('window.results !== undefined');
    return frame.evaluate('window.results') as Promise<Results>;
  }

  const seen = new Map<string, ReturnType<typeof playTwice>>();

  /**
   * Returns the results of the first and the second load in one profile. The loads are made once for all
   * tests.
   */
  function twice(portal: Portal, as?: SignedUp): ReturnType<typeof playTwice> {
    const name = `${portal} ${as?.email}`;
    const both = seen.get(name) ?? playTwice(portal, as);
    seen.set(name, both);
    return both;
  }

  async function playTwice(portal: Portal, as?: SignedUp): Promise<readonly [Results, Results]> {
    const both: Results[] = [];
    await using(
      pageOf(slugs.get(portal) ?? ''),
      async (page) => {
        const requests: string[] = [];
        page.on('request', (request) => requests.push(request.url()));
        both.push(await resultsOf(page));
        await kept(page.frames()[1], portal);
        await page.reload();
        both.push(await resultsOf(page));
        assert.deepEqual(
          requests.filter((url) => portalHosts.test(new URL(url).host)),
          [],
        );
      },
      as ? { as } : {},
    );
    const [first, second] = both;
    assert.ok(first && second);
    return [first, second];
  }

  /** Waits until CrazyGames' SDK has written its data, which it does a moment later. */
  async function kept(frame: Frame | undefined, portal: Portal): Promise<void> {
    if (portal !== 'crazygames') return;
    assert.ok(frame);
    // A frame may send thirty requests a second, so this one asks every 100 ms.
    await frame.evaluate(`(async () => {
      while (!((await Spaceport.saves.get('crazygames'))?.data.times >= 1))
        await new Promise((resolve) => setTimeout(resolve, 100));
    })()`);
  }

  function includes(said: Said, expected: Said): void {
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(said[name], value, name);
  }

  for (const portal of portalNames) {
    it(`${portal}: the page of conformance uses every documented name`, async () => {
      const [{ touched }] = await twice(portal);
      const names = namesOf(documentedSdks[portal]);
      assert.deepEqual(
        names.filter((name) => !touched.includes(name) && !asked.includes(name)),
        [],
      );
    });
  }

  it('CrazyGames: a guest has no ads, no account, and the saved data of the last visit', async () => {
    const [first, second] = await twice('crazygames');
    const failed = (code: string) => ({ failed: code });
    includes(first.said, {
      'data before init': failed('sdkNotInitialized'),
      init: null,
      environment: 'crazygames',
      'ad.requestAd midgame': 'unfilled',
      'ad.requestAd rewarded': 'unfilled',
      'ad.requestAd alone': null,
      'ad.hasAdblock': false,
      'banner.prefetchBanner': 'banner',
      'banner.requestOverlayBanners': ['over', 'bannerError', 'unfilled'],
      'game.settings': { disableChat: false, muteAudio: false },
      'game.inviteLink': `/s/${slugs.get('crazygames')}?with=room%3D7`,
      'game.showInviteButton': `/s/${slugs.get('crazygames')}?with=room%3D7`,
      'game.isInstantMultiplayer': false,
      'game.link': `/s/${slugs.get('crazygames')}`,
      'game.id': true,
      'game.inviteParams': null,
      'user.isUserAccountAvailable': true,
      'user.systemInfo': 'applicationType,browser,countryCode,device,locale,os',
      'user.getUser': null,
      'user.getUserToken': failed('userNotAuthenticated'),
      'user.showAccountLinkPrompt': failed('userNotAuthenticated'),
      'user.getXsollaUserToken': failed('unexpectedError'),
      'user.listFriends': { friends: [], page: 1, size: 10, hasMore: false, total: 0 },
      'data.getItem': null,
      'data.setItem': 'x',
      'data.removeItem': null,
      'data.setItem too large': failed('unexpectedError'),
      'data.clear': null,
    });
    includes(second.said, { 'data.getItem': '1' });
  });

  it('CrazyGames: a signed-in player is its user, and is ranked on the first board that accepts player posts', async () => {
    const [{ said }] = await twice('crazygames', player);
    includes(said, {
      'user.getUser': 'portal_player',
      'user.getUserToken': 3,
      'user.showAccountLinkPrompt': { response: 'no' },
    });
    const entries = await boardOf(slugs.get('crazygames') ?? '');
    assert.deepEqual(
      entries.map(({ handle, score }) => [handle, score]),
      [['portal_player', 30]],
    );
  });

  it('CrazyGames: alone on its own address it keeps data in the browser, and nobody can sign in', async () => {
    const page = await browser.newPage();
    try {
      await page.goto(service.service.platform.urls.live(slugs.get('crazygames') ?? ''));
      for (const before of [null, '1']) {
        await page.waitForFunction('window.results !== undefined');
        const { said } = (await page.evaluate('window.results')) as Results;
        includes(said, {
          'user.isUserAccountAvailable': false,
          'ad.requestAd rewarded': 'unfilled',
          'data.getItem': before,
        });
        await kept(page.mainFrame(), 'crazygames');
        await page.reload();
      }
    } finally {
      await page.close();
    }
  });

  it('Poki: breaks end at once without a reward, and a signed-in player is its user', async () => {
    const expected = {
      init: null,
      commercialBreak: 0,
      rewardedBreak: false,
      'rewardedBreak with a callback': false,
      isAdBlocked: false,
      shareableURL: `/s/${slugs.get('poki')}?with=gdid%3Da%2Bb%26gdtype%3D1`,
      getURLParam: '',
      getLanguage: true,
    };
    const [guest] = await twice('poki');
    includes(guest.said, { ...expected, getUser: null, getToken: null });
    const [account] = await twice('poki', player);
    includes(account.said, { ...expected, getUser: 'portal_player', getToken: 3 });
  });

  it('YouTube Playables: data is saved, scores are ranked, and errors have their types', async () => {
    const failed = (type: number) => ({ failed: type });
    const [first, second] = await twice('playables', player);
    includes(first.said, {
      IN_PLAYABLES_ENV: true,
      SdkError: true,
      SdkErrorType: { UNKNOWN: 0, API_UNAVAILABLE: 1, INVALID_PARAMS: 2, SIZE_LIMIT_EXCEEDED: 3 },
      'ads.requestInterstitialAd': null,
      'ads.requestRewardedAd': false,
      'engagement.sendScore': null,
      'engagement.sendScore of half a point': failed(2),
      'engagement.openYTContent': failed(1),
      'engagement.openYTContent without an id': failed(2),
      'game.loadData': '',
      'game.saveData': true,
      'game.saveData of no text': failed(2),
      'game.saveData of half a letter': failed(2),
      'game.saveData too large': failed(3),
      'system.isAudioEnabled': true,
      'system.onPause': 'a function',
      'system.getLanguage': true,
    });
    includes(second.said, { 'game.loadData': '1' });
    const entries = await boardOf(slugs.get('playables') ?? '');
    assert.deepEqual(
      entries.map(({ handle, score }) => [handle, score]),
      [['portal_player', 40]],
    );
  });
});
