import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hostingCodeOf } from '../../test/answers.ts';
import { fileEntries, listing, publishFiles, publishLive, putFile, smallGame } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { givenId } from '../platform/db/ids.ts';

const saltedGame = (): Record<string, string> => ({
  'index.html': String(smallGame['index.html']),
  'salt.txt': String(Math.random()),
});

describe('finishing a version', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService({ environment: { WAITING_CHECKS: '3', CHECKS_PER_HOUR: '4' } });
  });
  after(() => service.close());
  // Limits are counted by account and space, so each test has its own.
  const newCreator = async () => {
    creator = await service.creator();
    return creator;
  };

  /** Does everything up to the finish. */
  async function uploaded(space?: string, files: Record<string, string> = saltedGame()) {
    const body = { ...(space === undefined ? { fields: listing } : { space }), files: fileEntries(files) };
    const answer = (await creator.call('POST', '/api/v1/hosting/versions', body)).json();
    const contents = new Map(fileEntries(files).map((entry) => [entry.sha256, files[entry.path] ?? '']));
    for (const { sha256, url } of answer.uploads) await putFile(service, url, contents.get(sha256) ?? '');
    return { id: answer.version.id as string, slug: answer.space.slug as string };
  }
  const finish = (id: string, body: unknown = {}) =>
    creator.call('POST', `/api/v1/hosting/versions/${id}/finish`, body);

  it('makes a preview by default, without a body too', async () => {
    await newCreator();
    for (const body of [{}, undefined, { preview: true }]) {
      const { id } = await uploaded();
      const answer = await finish(id, body);
      assert.equal(answer.status, 200, answer.text());
      const { status, previewUrl, watchUrl } = answer.json();
      assert.equal(status, 'preview');
      assert.match(previewUrl, /^http:\/\/p--[0-9a-z]{26}\.temp\.localhost:\d+\/$/u);
      assert.equal(watchUrl, `${service.baseUrl}/api/v1/hosting/versions/${id}`);
      assert.equal((await service.get(previewUrl)).status, 200);
    }
  });

  it('goes live when the check passes', async () => {
    await newCreator();
    const { id, slug } = await uploaded();
    const answer = await finish(id, { preview: false });
    assert.deepEqual(answer.json(), {
      status: 'checking',
      watchUrl: `${service.baseUrl}/api/v1/hosting/versions/${id}`,
    });
    await service.settle();
    const version = await creator.client.readVersion({ params: { id } });
    assert.equal(version.status, 'live');
    assert.ok(version.liveAt);
    assert.deepEqual(
      version.report?.findings.filter(({ severity }) => severity !== 'warn'),
      [],
    );
    const live = await service.get(service.service.platform.urls.live(slug));
    assert.equal(live.status, 200);
    assert.match(live.text(), /Moon Hopper/u);
  });

  it('refuses a wrong size of a file that somebody else has published meanwhile', async () => {
    const page = `<title>${Math.random()}</title>`;
    const other = await service.creator();
    await newCreator();
    const entries = fileEntries({ 'index.html': page }).map((entry) => ({ ...entry, size: entry.size - 1 }));
    const body = { fields: listing, files: entries };
    const created = (await other.call('POST', '/api/v1/hosting/versions', body)).json();
    await publishLive(service, creator, { 'index.html': page });
    for (const preview of [true, false]) {
      const where = `/api/v1/hosting/versions/${created.version.id}/finish`;
      const answer = await other.call('POST', where, { preview });
      assert.deepEqual([answer.status, answer.json().code], [422, 'invalid_files'], answer.text());
      assert.deepEqual(answer.json().paths, ['index.html']);
    }
    const version = await other.client.readVersion({ params: { id: created.version.id } });
    assert.equal(version.status, 'uploading');
  });

  it('gives a hundred finishes at once the same answer', async () => {
    for (const preview of [true, false]) {
      await newCreator();
      const { id } = await uploaded();
      const answers = await Promise.all(Array.from({ length: 100 }, () => finish(id, { preview })));
      assert.deepEqual(
        [...new Set(answers.map(({ status }) => status))],
        [200],
        answers.find((answer) => answer.status !== 200)?.text() ?? '',
      );
      assert.equal(new Set(answers.map((answer) => answer.text())).size, 1);
      const { db } = service.service.platform.database;
      const links = await db
        .selectFrom('preview_links')
        .selectAll()
        .where('version_id', '=', givenId('ver', id))
        .execute();
      assert.equal(links.length, preview ? 1 : 0);
      await service.settle();
      assert.equal(
        (await creator.client.readVersion({ params: { id } })).status,
        preview ? 'preview' : 'live',
      );
    }
  });

  it('gives a later finish the first answer, whatever it asks', async () => {
    await newCreator();
    const { id } = await uploaded();
    const first = await finish(id);
    assert.deepEqual((await finish(id, { preview: false })).json(), first.json());
  });

  it('names the missing files, and works once they are uploaded', async () => {
    await newCreator();
    const files = {
      'index.html': 'here',
      'lost/a.txt': `a${Math.random()}`,
      'lost/b.txt': `b${Math.random()}`,
    };
    const created = (
      await creator.call('POST', '/api/v1/hosting/versions', { fields: listing, files: fileEntries(files) })
    ).json();
    const answer = await finish(created.version.id);
    assert.equal(answer.status, 409);
    assert.equal(answer.json().code, 'missing_uploads');
    assert.deepEqual(answer.json().paths, ['index.html', 'lost/a.txt', 'lost/b.txt']);
    const contents = new Map(
      fileEntries(files).map((entry) => [entry.sha256, files[entry.path as keyof typeof files]]),
    );
    for (const { sha256, url } of created.uploads) await putFile(service, url, contents.get(sha256) ?? '');
    assert.equal((await finish(created.version.id)).status, 200);
  });

  it('answers not_found for another creator’s version and for an unknown one', async () => {
    await newCreator();
    const { id } = await uploaded();
    await newCreator();
    for (const unknown of [id, 'ver_nothing', '%00', 'a'.repeat(201)]) {
      const answer = await finish(unknown);
      assert.ok([404, 422].includes(answer.status), `${unknown}: ${answer.status}`);
    }
    assert.equal((await finish(id)).json().code, 'not_found');
  });

  it('limits the waiting versions of an account, and a refused finish changes nothing', async () => {
    await newCreator();
    const idle = await startService({ role: 'serve', environment: { WAITING_CHECKS: '2' } });
    try {
      const busy = await idle.creator();
      const publishing = () =>
        publishFiles(busy, { 'index.html': String(Math.random()) }, {}, { live: true });
      const first = await publishing();
      await publishing();
      const created = await busy.client.createVersion({
        body: { fields: { ...listing, devices: ['desktop'] }, files: fileEntries({ 'index.html': 'x' }) },
      });
      assert.ok('uploads' in created);
      await putFile(idle, created.uploads[0]?.url ?? '', 'x');
      const answer = await busy.call('POST', `/api/v1/hosting/versions/${created.version.id}/finish`, {
        preview: false,
      });
      assert.equal(answer.status, 429);
      assert.equal(answer.json().code, 'checks_busy');
      assert.ok(Number(answer.headers['retry-after']) > 0);
      assert.equal(
        (await busy.client.readVersion({ params: { id: created.version.id } })).status,
        'uploading',
      );
      const again = await busy.call('POST', `/api/v1/hosting/versions/${first.version.id}/finish`, {
        preview: false,
      });
      assert.equal(again.status, 200, 'a repeated finish does not wait for itself');
    } finally {
      await idle.close();
    }
  });

  it('leaves a version unchecked when the space has used its checks of the hour', async () => {
    await newCreator();
    const { slug } = await uploaded();
    for (let count = 0; count < 4; count++) {
      const { id } = await uploaded(slug);
      await finish(id, { preview: false });
      await service.settle();
    }
    const { id } = await uploaded(slug);
    assert.equal((await finish(id, { preview: false })).json().status, 'checking');
    const version = await creator.client.readVersion({ params: { id }, query: { wait: 30 } });
    assert.equal(version.status, 'checking');
    assert.equal(version.stopped, true);
    assert.match(version.reason ?? '', /4 safety checks/u);
    service.clock.advance({ hours: 1 });
    const later = await uploaded(slug);
    await finish(later.id, { preview: false });
    await service.settle();
    assert.equal((await creator.client.readVersion({ params: { id: later.id } })).status, 'live');
  });

  it('applies listing fields when the version goes live, not before', async () => {
    await newCreator();
    const first = await publishLive(service, creator);
    const title = async () =>
      (
        await service.service.platform.database.db
          .selectFrom('spaces')
          .select('title')
          .where('slug', '=', first.space.slug)
          .executeTakeFirst()
      )?.title;
    const next = { 'index.html': `new ${Math.random()}` };
    const details = { space: first.space.slug, fields: { title: 'Moon Hopper 2' } };
    await publishFiles(creator, next, details);
    assert.equal(await title(), 'Moon Hopper');
    await publishLive(service, creator, { 'index.html': `newer ${Math.random()}` }, details);
    assert.equal(await title(), 'Moon Hopper 2');
  });
});

describe('a read that waits for the version', () => {
  it('returns as soon as the status changes, and at once when nothing will change', async () => {
    const service = await startService({ role: 'serve' });
    try {
      const creator = await service.creator();
      const { version } = await publishFiles(creator, smallGame, {}, { live: true });
      const waiting = creator.client.readVersion({ params: { id: version.id }, query: { wait: 30 } });
      const { recordJudgement } = await import('./judgement.ts');
      const { platform } = service.service;
      await platform.database.transaction((tx) =>
        recordJudgement(tx, givenId('ver', version.id), {
          verdict: 'unjudged',
          reason: 'why',
          report: { findings: [] },
        }),
      );
      const changed = await waiting;
      assert.equal(changed.status, 'unjudged');
      assert.equal(changed.reason, 'why');
      assert.equal(
        (await creator.client.readVersion({ params: { id: version.id }, query: { wait: 30 } })).status,
        'unjudged',
      );
      for (const wait of ['31', '-1', 'soon']) {
        const answer = await creator.call('GET', `/api/v1/hosting/versions/${version.id}?wait=${wait}`);
        assert.deepEqual(hostingCodeOf(answer), [422, 'invalid_request'], wait);
      }
    } finally {
      await service.close();
    }
  });

  it('ends when the service stops', async () => {
    const service = await startService({ role: 'serve' });
    const creator = await service.creator();
    const { version } = await publishFiles(creator, smallGame, {}, { live: true });
    const waiting = creator.client.readVersion({ params: { id: version.id }, query: { wait: 30 } });
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([service.close(), waiting.catch(() => {})]);
  });
});
