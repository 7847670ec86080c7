import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { fail } from '../test/fake-answers.ts';
import { FakeService } from '../test/fake-service.ts';
import { createClient } from './client.ts';
import { fetchUploads } from './fetch-upload.ts';
import { httpUploads } from './node/http-upload.ts';
import type { PublishProgress } from './progress.ts';
import { type CreatedVersion, dryRun, type PublishOptions, publish } from './publish.ts';
import type { FileBody, SourceFile } from './source.ts';
import { waitForVerdict } from './verdict.ts';

let service: FakeService;
beforeEach(async () => {
  service = await FakeService.start();
});
afterEach(() => service.close());

function file(path: string, text: string, body?: () => FileBody): SourceFile {
  const bytes = new TextEncoder().encode(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path, size: bytes.byteLength, sha256, open: async () => body?.() ?? bytes };
}

const files = [
  file('index.html', '<h1>Hi</h1>'),
  file('a.js', 'a()'),
  file('copy.js', 'a()'),
  file('empty', ''),
];
const fields = { title: 'A game', space_type: 'game', devices: ['desktop'] } as const;
const details = { fields: { ...fields, devices: [...fields.devices] } };

function run(options: Partial<PublishOptions> = {}) {
  const client = createClient({
    baseUrl: service.baseUrl,
    token: service.token,
    retry: { attempts: 3, baseMs: 1, maxMs: 1 },
  });
  return publish(client, { source: { files }, details, live: true, ...options });
}
const uploads = () => service.log.filter((line) => line.startsWith('PUT')).length;
const batches = () => service.log.filter((line) => line === 'POST /batch').length;
const creates = () => service.creates.length;

for (const [name, transport] of [
  ['fetch', fetchUploads()],
  ['node:http', httpUploads()],
] as const) {
  test(`publishes with ${name}: uploads only missing blobs, once each, and waits for the verdict`, async () => {
    const seen: PublishProgress[] = [];
    const result = await run({ upload: transport, onProgress: (progress) => seen.push(progress) });
    assert.equal(result.outcome, 'live');
    assert.equal(result.pageUrl, `${service.baseUrl}/s/a-game`);
    assert.deepEqual(result.uploaded, { files: 3, bytes: 14 });
    assert.equal(uploads(), 3, 'two paths with the same bytes are one upload');
    assert.deepEqual(
      [...new Set(seen.map((progress) => progress.phase))],
      ['creating', 'uploading', 'finishing', 'checking', 'done'],
    );
    assert.equal(seen.at(-1)?.bytesDone, seen.at(-1)?.bytesTotal);

    const again = await run({ upload: transport });
    assert.deepEqual(again.uploaded, { files: 0, bytes: 0 });
  });

  test(`uploads blobs and streams with ${name}`, async () => {
    const stream = async function* () {
      yield new TextEncoder().encode('str');
      yield new TextEncoder().encode('eam');
    };
    const source = { files: [file('s', 'stream', stream), file('b', 'blob', () => new Blob(['blob']))] };
    assert.equal((await run({ source, upload: transport })).uploaded.bytes, 10);
  });

  test(`fails with ${name} when a file changed meanwhile`, async () => {
    const changed = file('a.js', 'old', () => new TextEncoder().encode('new'));
    await assert.rejects(run({ source: { files: [changed] }, upload: transport }), {
      name: 'FileChangedError',
    });
  });
}

test('small files are sent together where the service takes them', async () => {
  service.takesBatches = true;
  const stream = file('s', 'stream', async function* () {
    yield new TextEncoder().encode('stream');
  });
  const large = file('large.bin', 'x'.repeat(2_000));
  const source = { files: [...files, file('b', 'blob', () => new Blob(['blob'])), stream, large] };
  const seen: PublishProgress[] = [];
  const onProgress = (progress: PublishProgress) => seen.push(progress);
  const result = await run({ source, upload: httpUploads(), onProgress });
  assert.equal(result.outcome, 'live');
  assert.deepEqual(result.uploaded, { files: 6, bytes: 2_024 });
  assert.deepEqual([batches(), uploads()], [1, 1]);
  assert.equal(seen.at(-1)?.bytesDone, seen.at(-1)?.bytesTotal);
});

test('files are sent alone after a batch that failed', async () => {
  service.takesBatches = true;
  service.intercept = (_method, path) => (path === '/batch' ? fail(405, 'invalid', 'Not here.') : null);
  const result = await run({ upload: httpUploads() });
  assert.deepEqual([result.outcome, result.uploaded.files], ['live', 3]);
  assert.deepEqual([batches(), uploads()], [1, 3]);
});

test('a file of a batch that changed meanwhile fails the publish and is named', async () => {
  service.takesBatches = true;
  for (const now of ['new', 'longer']) {
    const changed = file('b.js', 'old', () => new TextEncoder().encode(now));
    await assert.rejects(run({ source: { files: [...files, changed] }, upload: httpUploads() }), {
      name: 'FileChangedError',
      message: /^b\.js /u,
    });
  }
});

test('an interrupted batch is resumed by what the service still lacks', async () => {
  service.takesBatches = true;
  const controller = new AbortController();
  let created: CreatedVersion | undefined;
  service.intercept = (_method, path) => {
    if (path === '/batch') controller.abort(new Error('interrupted'));
    return null;
  };
  const onCreated = (answer: CreatedVersion) => {
    created = answer;
  };
  const upload = httpUploads();
  await assert.rejects(run({ upload, signal: controller.signal, onCreated }), { message: 'interrupted' });
  service.intercept = () => null;
  const result = await run({ upload, resume: created });
  assert.deepEqual([result.outcome, result.resumed, creates()], ['live', true, 1]);
  assert.equal(uploads(), 0);
});

test('node:http never writes more bytes than declared', async () => {
  const upload = httpUploads();
  const longer = file('a.js', 'old', () => new TextEncoder().encode('longer'));
  const stream = file('a.js', 'old', async function* () {
    yield new TextEncoder().encode('longer');
  });
  const shorter = file('a.js', 'old', async function* () {
    yield new TextEncoder().encode('o');
  });
  for (const changed of [longer, stream, shorter]) {
    await assert.rejects(run({ source: { files: [changed] }, upload }), { name: 'FileChangedError' });
  }
  assert.equal(service.blobs.size, 0);
});

test('a preview is returned with the report of its check', async () => {
  const report = { findings: [{ rule: 'page-blank', severity: 'warn', message: 'Blank.', fix: 'Draw.' }] };
  service.previewVerdict = { report };
  const result = await run({ live: false });
  assert.deepEqual([result.outcome, result.report], ['preview', report]);
  assert.match(result.previewUrl ?? '', /^http:\/\/p--/u);
});

test('a preview with harmful content ends as refused', async () => {
  service.previewVerdict = { status: 'refused', reason: 'It mines.', report: { findings: [] } };
  const result = await run({ live: false });
  assert.deepEqual([result.outcome, result.reason, result.previewUrl], ['refused', 'It mines.', undefined]);
});

test('a preview is returned without its report when the caller does not wait', async () => {
  const result = await run({ live: false, wait: false });
  assert.deepEqual([result.outcome, result.report], ['preview', undefined]);
});

test('a preview is returned without a report when the check takes too long', async () => {
  service.previewVerdict = {};
  const client = createClient({ baseUrl: service.baseUrl, token: service.token });
  const { version } = await run({ live: false, wait: false });
  const read = await waitForVerdict(client, version.id, { previewSeconds: 0 });
  assert.deepEqual([read.status, read.report], ['preview', undefined]);
});

test('a refusal is returned with its reason and its findings', async () => {
  const report = { findings: [{ rule: 'miner', severity: 'refuse', message: 'Mines.', fix: 'Remove it.' }] };
  service.verdict = { status: 'refused', reason: 'It mines.', report };
  const result = await run();
  assert.deepEqual([result.outcome, result.reason, result.report], ['refused', 'It mines.', report]);
});

test('a check that ended without a verdict ends the wait', async () => {
  service.verdict = { stopped: true, reason: 'Over the hourly limit.' };
  assert.equal((await run()).outcome, 'stopped');
});

test('without waiting, publish returns as soon as the version is finished', async () => {
  service.verdict = {};
  assert.equal((await run({ wait: false })).outcome, 'checking');
});

test('a dropped upload is retried, and progress never passes the total', async () => {
  service.intercept = (method, _path, count) => (method === 'PUT' && count <= 2 ? 'hang-up' : null);
  await run({
    upload: httpUploads(),
    concurrency: 1,
    onProgress: ({ bytesDone, bytesTotal }) => assert.ok(bytesDone <= bytesTotal),
  });
  assert.equal(uploads(), 5);
});

test('expired links are replaced by one request for all of them', async () => {
  service.intercept = (method, path, count) => {
    if (method === 'PUT' && count <= 2) service.expiredLinks.add(path.slice('/upload/'.length));
    return null;
  };
  assert.equal((await run({ upload: httpUploads(), concurrency: 2 })).outcome, 'live');
  assert.equal(service.log.filter((line) => line.endsWith('/uploads')).length, 1);
});

test('an upload whose answers are all lost counts as done when the service has the file', async () => {
  service.intercept = (method, _path, count) => {
    if (method !== 'PUT' || count > 3) return null;
    for (const { sha256, size } of files) service.blobs.set(sha256, size);
    return 'hang-up';
  };
  assert.equal((await run({ concurrency: 1, source: { files: files.slice(0, 1) } })).outcome, 'live');
  assert.equal(uploads(), 3);
});

test('an upload that is refused for good stops the publish and names the file', async () => {
  service.intercept = (method) => (method === 'PUT' ? fail(413, 'too_large', 'It is too large.') : null);
  await assert.rejects(run(), { code: 'too_large', message: /^(index\.html|a\.js|copy\.js|empty): It is/u });
});

test('finish is retried when the checks are busy, and uploads what turned out to be missing', async () => {
  const phases: string[] = [];
  service.intercept = (_method, path, count) => {
    if (!path.endsWith('/finish')) return null;
    if (count === 1) return fail(429, 'checks_busy', 'Five wait already.', { 'retry-after': '0' });
    if (count === 2) service.blobs.delete(files[0]?.sha256 ?? '');
    return null;
  };
  const result = await run({ onProgress: ({ phase }) => phases.push(phase) });
  assert.equal(result.outcome, 'live');
  assert.ok(phases.includes('queued'));
  assert.equal(uploads(), 4);
});

test('an interrupted publish is resumed', async () => {
  const controller = new AbortController();
  let created: CreatedVersion | undefined;
  service.intercept = (method, _path, count) => {
    if (method === 'PUT' && count === 2) controller.abort(new Error('interrupted'));
    return null;
  };
  const interrupted = run({
    concurrency: 1,
    signal: controller.signal,
    onCreated: (answer) => {
      created = answer;
    },
  });
  await assert.rejects(interrupted, { message: 'interrupted' });
  service.intercept = () => null;
  const result = await run({ resume: created });
  assert.equal(result.outcome, 'live');
  assert.equal(result.resumed, true);
  assert.equal(creates(), 1);
  assert.ok(result.uploaded.files <= 2, 'what was sent before is not sent again');
});

test('resuming a finished version only waits, and a version that is gone is made anew', async () => {
  const first = await run({ wait: false });
  const resumed = await run({ resume: first });
  assert.deepEqual([resumed.version, resumed.outcome, creates()], [first.version, 'live', 1]);
  const anew = await run({ resume: { ...first, version: { id: 'v_gone', number: 9 } } });
  assert.equal(anew.resumed, false);
  assert.equal(creates(), 2);
});

test('without an account all calls after the create use the claim token that it returned', async () => {
  const anonymous = createClient({ baseUrl: service.baseUrl, retry: false });
  let claimToken: string | undefined;
  const result = await publish(anonymous, {
    source: { files },
    details,
    onCreated: (created) => {
      claimToken = created.claimToken;
    },
  });
  assert.equal(result.outcome, 'preview');
  assert.equal(claimToken, service.claim);
  const again = await publish(anonymous.withClaim(service.claim), { source: { files }, details });
  assert.equal(again.outcome, 'preview');
  assert.equal(service.creates[1]?.claim, service.claim);
});

test('a dry run returns what would be sent and keeps nothing', async () => {
  const client = createClient({ baseUrl: service.baseUrl, token: service.token });
  const answer = await dryRun(client, { source: { files }, details });
  assert.deepEqual(answer.missing, { files: 3, bytes: 14 });
  assert.equal(service.versions.size, 0);
});
