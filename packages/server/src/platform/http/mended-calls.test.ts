import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { publishFiles, publishLive, smallGame } from '../../../test/files.ts';
import type { RawAnswer } from '../../../test/raw-http.ts';
import { type Persona, startService, type TestService } from '../../../test/service.ts';
import { otherMistakes } from './other-mistakes.fixture.ts';
import { type Call, wrongFields } from './wrong-fields.fixture.ts';
import '../../../test/one-engine.ts';

/** Wrong calls with an API token, and the calls that `next` leads to. One step corrects each of them. */
describe('a caller that follows `next', () => {
  let service: TestService;
  let ada: Persona;
  let slug: string;
  let versionId: string;
  let secret: string;
  before(async () => {
    service = await startService();
    ada = await service.creator('ada');
    await service.creator('grace');
    slug = (await publishLive(service, ada)).space.slug;
    versionId = (await publishFiles(ada, smallGame, { space: slug })).version.id;
    secret = (await ada.call('POST', `/api/spaces/${slug}/secret`)).json().secret;
    await ada.call('PUT', `/api/spaces/${slug}/boards`, { boards: [{ key: 'high' }] });
    await ada.call('PUT', `/api/spaces/${slug}/achievements`, {
      stats: [{ key: 'coins' }],
      achievements: [{ key: 'first-win' }],
    });
  });
  after(() => service.close());

  const send = ([method, path, body, headers]: Call): Promise<RawAnswer> =>
    headers && ('authorization' in headers || method === 'POST')
      ? service.anonymous.call(method, path, body, headers)
      : ada.call(method, path, body, headers);

  it('gets through after each of at least forty mistakes', async () => {
    const place = { slug, versionId, secret };
    const rows = [...wrongFields(place), ...otherMistakes(place)];
    assert.ok(rows.length >= 40, String(rows.length));
    for (const { is, wrong, code, next, mended } of rows) {
      const refused = await send(wrong);
      const answer = refused.json();
      assert.equal(answer.code ?? answer.error, code, `${is}: ${refused.text()}`);
      assert.match(answer.next, next, is);
      const [page] = /http\S+\/docs\/api\/\S+\.md/u.exec(answer.next) ?? [];
      if (page !== undefined) {
        const described = await service.get(page);
        assert.equal(described.status, 200, is);
        // The page names the field that was wrong, or the one that was meant.
        const names = answer.issues.flatMap(({ path, message }: { path: string; message: string }) => [
          ...path.split('.').filter((part) => /[a-z]/iu.test(part)),
          ...[...message.matchAll(/«(\w+)»/gu)].map(([, name]) => name),
        ]);
        const found = names.some((name: string) => described.text().includes(`\`${name}`));
        assert.ok(found || names.length === 0, `${is}: ${names}`);
      }
      const passed = await send(mended);
      assert.ok(passed.status < 300, `${is}: ${passed.status} ${passed.text()}`);
    }
  });
});
