import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { browserSetting } from '../../../test/browser.ts';
import { drawn, publishChecked, rulesOf } from '../../../test/checked-page.ts';
import { type Persona, startService, type TestService } from '../../../test/service.ts';

describe('opening a version that breaks its browser', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    // A quarter of a gibibyte more than an empty browser needs, and five seconds to
    // load: both are used up quickly.
    const environment = { BROWSER: browserSetting(), CHECK_SECONDS: '25', BROWSER_MAX_BYTES: '900m' };
    service = await startService({ environment });
    creator = await service.creator();
  });
  after(() => service.close());

  for (const [what, script, rule] of [
    ['never comes to an end', 'setTimeout(() => { for (;;); }, 300)', 'page-stuck'],
    [
      'takes all memory',
      'const all = []; setInterval(() => all.push(new Uint8Array(5e7).fill(1)), 10)',
      'page-crash',
    ],
  ] as const) {
    it(`does not judge a page that ${what}`, async () => {
      const { version, report } = await publishChecked(
        service,
        creator,
        `${drawn}<script>${script}</script>`,
      );
      assert.equal(version.status, 'unjudged');
      assert.deepEqual(rulesOf(report), [`unjudged ${rule}`]);
      if (rule === 'page-crash') assert.match(String(version.reason), /too much memory/u);
    });
  }
});
