import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { portals } from '@spaceport/contract/portals';
import { browserSetting } from '../../../test/browser.ts';
import { drawn, publishChecked } from '../../../test/checked-page.ts';
import { type Persona, startService, type TestService } from '../../../test/service.ts';

const files = {
  'index.html': `<!doctype html><title>Game</title>${drawn}<script src="https://${portals.crazygames.sdk}"></script><script>
    const script = document.createElement('script');
    script.src = 'https://${portals.poki.sdk}';
    document.head.append(script);
  </script>`,
};

const calling = {
  'index.html': `<!doctype html><title>Game</title>${drawn}<script>
    fetch('https://api.gamejolt.com/api/game/v1_2/time/?game_id=32&signature=x').catch(() => {});
    const request = new XMLHttpRequest();
    request.open('POST', 'https://www.newgrounds.io/gateway_v3.php');
    request.send('request={}');
  </script>`,
};

describe('a version that loads the SDK of a portal', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService({ environment: { BROWSER: browserSetting() } });
    creator = await service.creator();
  });
  after(() => service.close());

  async function report(details: Parameters<typeof publishChecked>[3] = {}, published = files) {
    const { report: found, page } = await publishChecked(service, creator, published, details);
    return { findings: found.findings.map(({ rule, message }) => ({ rule, message })), page };
  }

  it('gets the portals that the service answers for in its report, and no finding', async () => {
    const { findings, page } = await report();
    assert.deepEqual(page.portals, ['crazygames', 'poki']);
    assert.deepEqual(findings, []);
  });

  it('is warned that the SDKs work only on their portals when it switches shims or the SDK off', async () => {
    for (const details of [{ shims: false }, { sdk: false }]) {
      const { findings, page } = await report(details);
      assert.equal(page.portals, undefined);
      const told = findings.filter(({ rule }) => rule === 'portal-sdk').map(({ message }) => message);
      assert.equal(told.length, 2, JSON.stringify(findings));
      assert.match(String(told[0]), /CrazyGames/u);
      assert.match(String(told[1]), /Poki/u);
    }
  });

  it('is told to declare its keys when it calls portals’ servers, and not again once it does', async () => {
    const without = await report({}, calling);
    const told = without.findings.filter(({ rule }) => rule === 'portal-sdk').map(({ message }) => message);
    assert.deepEqual(told, [
      'The page calls Newgrounds.io, which knows players only on that portal.',
      'The page calls Game Jolt, which knows players only on that portal.',
    ]);
    const portal_keys = { newgrounds: { app_id: '1:a' }, gamejolt: { game_id: '32' } };
    const named = await report({ portal_keys }, calling);
    assert.deepEqual(named.findings, []);
  });
});
