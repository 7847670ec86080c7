import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Operation } from '@spaceport/contract/operation';
import { listing, publishFiles, publishLive, smallGame } from './files.ts';
import { type Persona, startService, type TestService } from './service.ts';
import { cookieOf, type Everyman, everyman, everyOperation } from './valid-requests.ts';
import { signUp } from './visitor.ts';
import './one-engine.ts';

/** A word that is in the texts of every space here, and that no stranger may read. */
const hidden = 'Quietcanary';

/** The states of a space that strangers cannot see, with the calls that bring a live space there. */
const states: Record<string, (owner: Persona, operator: Persona, slug: string) => Promise<unknown>> = {
  offline: (owner, _operator, slug) => owner.call('POST', `/api/spaces/${slug}/offline`),
  deleted: (owner, _operator, slug) => owner.call('DELETE', `/api/spaces/${slug}`),
  hidden: (_owner, operator, slug) => actOn(operator, slug, 'hide'),
  held: (_owner, operator, slug) => actOn(operator, slug, 'hold'),
  removed: (_owner, operator, slug) => actOn(operator, slug, 'remove'),
};

function actOn(operator: Persona, slug: string, act: string) {
  const reason = `${hidden} reason`;
  return operator.call('POST', `/api/operator/spaces/${slug}/${act}`, { reason });
}

/** Operations of hosting on a space: they may tell that it is somebody else's (the interface, `not_owner`). */
const tellsOwner = new Set(['listVersions', 'rollback', 'resetSandbox']);

const ofCreators = everyOperation.filter(
  ({ path, credential }) =>
    /\{(?:slug|id)\}/u.test(path) &&
    !path.startsWith('/api/operator/') &&
    (credential === 'token' || credential === 'token_or_claim'),
);
const ofEverybody = everyOperation.filter(
  ({ path, credential }) => path.includes('{slug}') && credential === 'none',
);

describe('a space that strangers cannot see', () => {
  let service: TestService;
  let everyone: Everyman;
  const spaces = new Map<string, { slug: string; versionId: string }>();
  const strangers = new Map<string, Record<string, string>>();
  before(async () => {
    service = await startService({ environment: { CUSTOM_DOMAINS: 'on' } });
    everyone = await everyman(service);
    const operator = everyone.creator;
    const owner = await service.creator('owner');
    const fields = {
      ...listing,
      devices: [...listing.devices],
      title: `${hidden} Valley`,
      description: `${hidden} text`,
    };
    const draft = await publishFiles(owner, smallGame, { fields });
    spaces.set('a draft', { slug: draft.space.slug, versionId: draft.version.id });
    for (const [state, bring] of Object.entries(states)) {
      const { space, version } = await publishLive(service, owner, smallGame, { fields });
      const boards = { boards: [{ key: 'points', title: `${hidden} board` }] };
      await owner.call('PUT', `/api/spaces/${space.slug}/boards`, boards);
      await bring(owner, operator, space.slug);
      spaces.set(state, { slug: space.slug, versionId: version.id });
    }
    const ownPage = { 'sec-fetch-site': 'same-origin' };
    strangers.set('a creator’s token', { authorization: `Bearer ${(await service.creator('other')).token}` });
    strangers.set('a session', { ...ownPage, ...cookieOf(await signUp(service, { handle: 'another' })) });
  });
  after(() => service.close());

  /** Returns the status and the text of an answer to a stranger, without the names that were sent. */
  async function answerOf(
    operation: Operation,
    { slug, versionId }: { slug: string; versionId: string },
    credential: Record<string, string> | null,
  ) {
    service.clock.advance({ minutes: 10 });
    const path = operation.path.replace('{slug}', slug).replace('/versions/{id}', `/versions/${versionId}`);
    const { status, text } = await everyone.ask({ ...operation, path }, { credential });
    const said = text().replaceAll(slug, 'SLUG').replaceAll(versionId, 'ID');
    assert.doesNotMatch(said, new RegExp(`${hidden}|owner@`, 'iu'), `${operation.id} tells ${said}`);
    return { status, said };
  }

  const nowhere = { slug: 'nowhere-at-all', versionId: 'ver_nowhere' };

  for (const operation of ofCreators) {
    it(`is not told from one that is not there: ${operation.id}`, async () => {
      for (const [who, credential] of strangers) {
        const none = await answerOf(operation, nowhere, credential);
        for (const [state, space] of spaces) {
          const answer = await answerOf(operation, space, credential);
          const isOthers = tellsOwner.has(operation.id) && state !== 'deleted';
          if (!isOthers) assert.deepEqual(answer, none, `${operation.id} for ${who}, ${state}`);
          else assert.match(answer.said, /"not_owner"/u);
          assert.ok(answer.status >= 400, `${operation.id} for ${who}, ${state}: ${answer.said}`);
        }
      }
    });
  }

  for (const operation of ofEverybody) {
    it(`is not there for everybody: ${operation.id}`, async () => {
      const none = await answerOf(operation, nowhere, null);
      for (const [state, space] of spaces)
        assert.deepEqual(await answerOf(operation, space, null), none, `${operation.id}, ${state}`);
    });
  }

  it('is named by no page that strangers open', async () => {
    const [credential] = [...strangers.values()].slice(-1);
    const pages = ['/', '/@owner', `/?q=${hidden.toLowerCase()}`];
    for (const { slug } of spaces.values()) pages.push(`/s/${slug}`, `/dashboard/${slug}`);
    for (const path of pages)
      for (const headers of [{}, credential ?? assert.fail()]) {
        const text = (await service.get(service.baseUrl + path, { headers })).text();
        assert.doesNotMatch(text, new RegExp(`${hidden} (?:Valley|text|board|reason)`, 'u'), path);
      }
  });
});
