import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { errorsOf } from '@spaceport/contract/operation';
import { operations } from '@spaceport/contract/operations';
import { fileEntries, publishLive, smallGame } from '../../../test/files.ts';
import { requireAddresses } from '../../../test/named-addresses.ts';
import { type Persona, startService, type TestService } from '../../../test/service.ts';
import { nextStep } from './next-step.ts';
import '../../../test/one-engine.ts';

describe('the address in a next step', () => {
  let service: TestService;
  let ada: Persona;
  let slug: string;
  before(async () => {
    service = await startService();
    ada = await service.creator('ada');
    slug = (await publishLive(service, ada)).space.slug;
  });
  after(() => service.close());

  /** Returns each next step that any refusal of an operation has. */
  function everyStep(): Set<string> {
    const steps = operations.flatMap((operation) =>
      errorsOf(operation).map((code) => {
        const params = { slug, id: 'some-id' };
        const path = operation.path.replaceAll(/\{(\w+)\}/gu, 'of-$1');
        return nextStep(code, { app: service.baseUrl, path, params, operation });
      }),
    );
    return new Set(steps.filter((step) => step !== undefined));
  }

  it('exists, whatever is refused', async () => {
    const different = everyStep();
    assert.ok(different.size > 100, `${different.size}`);
    for (const step of different) await requireAddresses(service, step);
  });

  it('is of a document that has the call, where it says that the call is shown', async () => {
    const shown = [...everyStep()].flatMap((step) => {
      const [, call, document] = /POST (\S+) .*; (\S+) shows the calls\.$/u.exec(step) ?? [];
      return call === undefined || document === undefined ? [] : [{ call, document }];
    });
    assert.ok(shown.length > 1);
    for (const { call, document } of shown)
      assert.ok((await service.get(document)).text().includes(call), `${document} shows ${call}`);
  });

  it('is of the others of its kind, where one thing of a space is missing', async () => {
    const space = `/api/spaces/${slug}`;
    const missing: [method: string, path: string, body: unknown, found: string][] = [
      ['DELETE', `${space}/boards/nothing`, undefined, `${space}/boards`],
      ['GET', `${space}/boards/nothing/entries`, undefined, `${space}/boards`],
      ['DELETE', `${space}/stats/nothing`, undefined, `${space}/achievements`],
      ['DELETE', `${space}/achievements/nothing`, undefined, `${space}/achievements`],
      ['GET', `${space}/errors/nothing`, undefined, `${space}/errors`],
      ['POST', `${space}/webhooks/nothing/test`, undefined, `${space}/webhooks`],
      ['DELETE', `${space}/content/nothing`, undefined, `${space}/content`],
      ['POST', `${space}/cover`, { take: 99 }, `${space}/takes`],
      [
        'POST',
        `/api/v1/hosting/spaces/${slug}/rollback`,
        { version: 99 },
        `/api/v1/hosting/spaces/${slug}/versions`,
      ],
      ['GET', `/api/gallery/${slug}/boards/nothing/entries`, undefined, `/api/gallery/${slug}`],
      ['GET', '/api/gallery/nothing-here/boards/points/entries', undefined, '/api/gallery'],
    ];
    for (const [method, path, body, found] of missing) {
      const answer = await ada.call(method, path, body);
      assert.equal(answer.status, 404, `${method} ${path}: ${answer.text()}`);
      assert.equal(answer.json().next, `GET ${service.baseUrl}${found} lists what is there.`, path);
    }
  });

  it('is of the own spaces, where the space is missing', async () => {
    const missing: [method: string, path: string, body?: unknown][] = [
      ['DELETE', '/api/spaces/nothing-here/scores/1'],
      ['GET', '/api/spaces/nothing-here/boards/points/entries'],
      ['POST', '/api/spaces/verify', { slug: 'nothing-here' }],
      ['POST', '/api/spaces/recapture', { slug: 'nothing-here' }],
      ['POST', '/api/v1/hosting/versions', { space: 'nothing-here', files: fileEntries(smallGame) }],
      ['GET', '/api/v1/hosting/spaces/nothing-here/versions'],
    ];
    for (const call of missing) {
      const answer = await ada.call(...call);
      assert.equal(answer.status, 404, answer.text());
      assert.equal(answer.json().next, `GET ${service.baseUrl}/api/spaces lists your spaces.`, call[1]);
    }
  });

  it('is of what there is, where a change does not apply to it', async () => {
    const restored = (await ada.call('POST', `/api/spaces/${slug}/restore`)).json();
    assert.equal(restored.error, 'conflict');
    assert.match(restored.next, new RegExp(`^GET ${service.baseUrl}/api/spaces/${slug} shows`, 'u'));
    await requireAddresses(service, restored.next);
  });
});
