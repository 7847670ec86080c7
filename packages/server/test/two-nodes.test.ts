import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { changeBan } from '../src/operators/accounts.ts';
import { machineActor } from '../src/operators/audit.ts';
import { onceFree } from './answers.ts';
import { askSoon } from './ask-until.ts';
import { fileEntries, publishFiles } from './files.ts';
import { type RawAnswer, type RawRequest, rawRequest } from './raw-http.ts';
import { startServerProcess } from './server-process.ts';
import './several-nodes.ts';
import { startService, type TestService } from './service.ts';
import { withoutModule } from './without-module.ts';

const rounds = 6;
/** More than any test publishes, except the last one, which reaches this limit. */
const publishesPerHour = 20;

describe('two server processes on one database', () => {
  let nodes: Nodes;
  before(async () => {
    nodes = await startNodes();
  });
  after(() => nodes.close());

  it('keep one live version, the same on both, during concurrent finishes and rollbacks', async () => {
    await withSpace(nodes, async ({ slug, call }) => {
      const { db } = nodes.test.service.platform.database;
      for (let round = 0; round < rounds; round++) {
        // The files are those of version 1, so nothing has to be uploaded. Only the number differs.
        const create = () =>
          call(0, 'POST', '/api/v1/hosting/versions', { space: slug, files: fileEntries(game) });
        const [left, right] = [(await create()).json().version, (await create()).json().version];
        const finish = (node: number, id: string) =>
          call(node, 'POST', `/api/v1/hosting/versions/${id}/finish`, { preview: false });
        const back = (node: number) =>
          call(node, 'POST', `/api/v1/hosting/spaces/${slug}/rollback`, { version: 1 });
        const answers = await Promise.all([
          finish(0, left.id),
          back(1),
          finish(1, right.id),
          back(0),
          finish(1, left.id),
          finish(0, right.id),
          back(1),
        ]);
        assert.deepEqual(
          [...new Set(answers.map(({ status }) => status))],
          [200],
          answers.map((answer) => answer.text()).join('\n'),
        );
        for (const { id } of [left, right]) {
          const read = await untilJudged((path) => call(round, 'GET', path), id);
          assert.equal(read.status, 'live', JSON.stringify(read));
        }
        const lists = await Promise.all(
          [0, 1].map((node) => call(node, 'GET', `/api/v1/hosting/spaces/${slug}/versions`)),
        );
        for (const list of lists) {
          const versions: { live: boolean; status: string }[] = list.json().versions;
          assert.equal(versions.filter(({ live }) => live).length, 1);
          assert.ok(versions.every(({ status }) => status === 'live'));
        }
        assert.deepEqual(lists[0]?.json(), lists[1]?.json());
        const pointers = await db
          .selectFrom('spaces')
          .select('live_version_id')
          .where('slug', '=', slug)
          .execute();
        assert.equal(pointers.length, 1);
      }
    });
  });

  it('serve a new version on the other node at once', async () => {
    await withSpace(nodes, async ({ slug, call, publish }) => {
      const live = async (node: number) =>
        withoutModule((await nodes.get(node, nodes.test.service.platform.urls.live(slug))).text());
      await askSoon(() => live(0), 'first');
      await askSoon(() => live(1), 'first');
      const { version } = await publish({ 'index.html': 'second' });
      await untilJudged((path) => call(0, 'GET', path), version.id);
      await askSoon(() => live(0), 'second');
      await askSoon(() => live(1), 'second');
      await call(1, 'POST', `/api/v1/hosting/spaces/${slug}/rollback`, { version: 1 });
      await askSoon(() => live(0), 'first');
    });
  });

  it('both refuse a banned account', async () => {
    await withSpace(nodes, async ({ call, handle }) => {
      const { platform } = nodes.test.service;
      // However often it is asked, a dry run does not count as a publish.
      const create = (node: number) =>
        call(node, 'POST', '/api/v1/hosting/versions', {
          dryRun: true,
          fields: { title: 'More', space_type: 'game', devices: ['desktop'] },
          files: fileEntries(game),
        });
      for (const [banned, status] of [
        [true, 403],
        [false, 200],
      ] as const) {
        // Each node has cached the account now.
        for (const node of [0, 1]) assert.equal((await create(node)).status, banned ? 200 : 403);
        await changeBan(platform, handle, { banned, reason: null, by: machineActor });
        for (const node of [0, 1]) await askSoon(async () => (await create(node)).status, status);
      }
    });
  });

  it('share the count of a limit, and both refuse a revoked token', async () => {
    await withSpace(nodes, async ({ call, token }) => {
      const body = {
        fields: { title: 'Many', space_type: 'game', devices: ['desktop'] },
        files: fileEntries(game),
      };
      // One publish was used to make the space.
      const left = publishesPerHour - 1;
      const answers = await Promise.all(
        Array.from({ length: left + 9 }, (_, index) =>
          onceFree(() => call(index, 'POST', '/api/v1/hosting/versions', body)),
        ),
      );
      assert.equal(answers.filter(({ status }) => status === 201).length, left);
      assert.equal(answers.filter(({ status }) => status === 429).length, 9);
      assert.equal((await call(1, 'GET', '/api/agent/me')).status, 200);
      await nodes.test.revoke(token);
      for (const node of [0, 1])
        await askSoon(async () => (await call(node, 'GET', '/api/agent/me')).status, 401);
    });
  });
});

const game = { 'index.html': 'first' };

interface Nodes {
  /** The service in this process, which prepares data and reads it. */
  readonly test: TestService & { revoke(token: string): Promise<void> };
  get(node: number, url: string, request?: RawRequest): Promise<RawAnswer>;
  close(): Promise<void>;
}

interface Stage {
  readonly slug: string;
  readonly token: string;
  readonly handle: string;
  call(node: number, method: string, path: string, body?: unknown): Promise<RawAnswer>;
  publish(files: Record<string, string>): Promise<{ version: { id: string } }>;
}

async function startNodes(): Promise<Nodes> {
  const test = await startService({
    environment: { CHECKS_PER_HOUR: '1000', PUBLISHES_PER_HOUR: String(publishesPerHour) },
  });
  // All nodes have the same public addresses, whichever port they listen on.
  const { BASE_URL, PLAY_HOST, PREVIEW_HOST } = test.service.config;
  const shared = { ...test.environment, BASE_URL, PLAY_HOST, PREVIEW_HOST, PORT: '0' };
  const processes = await Promise.all([startServerProcess(shared), startServerProcess(shared)]).catch(
    async (error: unknown) => {
      await test.close();
      throw error;
    },
  );
  return {
    test: Object.assign(test, {
      revoke: async (token: string) => {
        const { platform } = test.service;
        const { hashSecret } = await import('../src/platform/secrets/secret.ts');
        await platform.database.transaction(async (tx) => {
          await tx.db
            .updateTable('api_tokens')
            .set({ revoked_at: 1 })
            .where('hash', '=', hashSecret(token))
            .execute();
          tx.announce('creator', '*');
        });
      },
    }),
    get: (node, url, request) =>
      rawRequest(processes[node % processes.length]?.listeningPort ?? 0, url, request),
    async close() {
      await Promise.all(processes.map((node) => node.end()));
      await test.close();
    },
  };
}

/** Makes a creator with a space that has one live version, and plays on both nodes. */
async function withSpace(nodes: Nodes, play: (stage: Stage) => Promise<void>): Promise<void> {
  const creator = await nodes.test.creator();
  const { space, version } = await publishFiles(creator, game, undefined, { live: true });
  const { BASE_URL } = nodes.test.service.config;
  const call: Stage['call'] = (node, method, path, body) =>
    nodes.get(node, new URL(path, BASE_URL).href, {
      method,
      headers: { authorization: `Bearer ${creator.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  // Any of the three processes may judge the version.
  await untilJudged((path) => call(0, 'GET', path), version.id);
  await play({
    slug: space.slug,
    token: creator.token,
    handle: creator.handle,
    call,
    publish: (files) => publishFiles(creator, files, { space: space.slug }, { live: true }),
  });
}

async function untilJudged(
  read: (path: string) => Promise<RawAnswer>,
  id: string,
): Promise<{ status: string }> {
  for (let times = 0; times < 4; times++) {
    const version = (await read(`/api/v1/hosting/versions/${id}?wait=20`)).json();
    if (version.status !== 'checking') return version;
  }
  throw new Error(`${id} was not judged`);
}
