import assert from 'node:assert/strict';
import { createClient } from '@spaceport/client/client';
import type { UploadBatch } from '@spaceport/contract/versions';
import { onceFree } from './answers.ts';
import { askUntil } from './ask-until.ts';
import { fileEntries, listing, sha256 } from './files.ts';
import { rawRequest } from './raw-http.ts';
import { withoutModule } from './without-module.ts';

/** A service: its address, and the port on which it listens. */
interface Asked {
  readonly baseUrl: string;
  readonly port: number;
}

/** The acknowledged steps of one publish. */
export interface Acknowledged {
  id?: string;
  slug?: string;
  readonly uploaded: Set<string>;
  finished: boolean;
  live: boolean;
}

/** Returns three files that only this publish has. The last is too long for a single write. */
export const filesOf = (mark: string): Record<string, string> => ({
  'index.html': `<title>${mark}</title>`,
  'a.txt': `a ${mark}`,
  'long.txt': `${mark} `.repeat(50_000),
});

/**
 * Publishes for production, and waits until the compressed forms are made too. `told` is called after each
 * acknowledged step.
 */
export async function publish(
  server: Asked,
  token: string,
  files: Record<string, string>,
  told: (done: Acknowledged) => void,
): Promise<void> {
  let done: Acknowledged = { uploaded: new Set(), finished: false, live: false };
  const note = (more: Partial<Acknowledged>) => {
    done = { ...done, ...more };
    told(done);
  };
  const client = createClient({ baseUrl: server.baseUrl, token, retry: false });
  const created = await client.createVersion({
    body: { fields: { ...listing, devices: ['desktop'] }, files: fileEntries(files) },
  });
  assert.ok('version' in created);
  const { id } = created.version;
  note({ id, slug: created.space.slug });
  await upload(server, created, files, (hashes) =>
    note({ uploaded: new Set([...done.uploaded, ...hashes]) }),
  );
  await client.finishVersion({ params: { id }, body: { preview: false } });
  note({ finished: true });
  const read = await client.readVersion({ params: { id }, query: { wait: 10 } });
  note({ live: read.status === 'live' });
  if (read.status === 'live') await untilPacked(server, created.space.slug);
}

/** Waits until the longest file is served compressed, which a job makes of it once nobody publishes. */
async function untilPacked(server: Asked, slug: string): Promise<void> {
  const { href } = new URL('long.txt', liveAddress(server, slug));
  await askUntil(
    () => rawRequest(server.port, href, { headers: { 'accept-encoding': 'br' } }),
    ({ headers }) => headers['content-encoding'] === 'br',
  );
}

function liveAddress({ baseUrl }: Asked, slug: string): URL {
  const live = new URL(baseUrl);
  live.host = `${slug}.play.localhost:${live.port}`;
  return live;
}

/** Uploads the short files in one request, and the long one in its own. */
async function upload(
  server: Asked,
  { uploads, batch }: { uploads: { sha256: string; url: string }[]; batch?: UploadBatch | undefined },
  files: Record<string, string>,
  told: (hashes: readonly string[]) => void = () => {},
) {
  assert.ok(batch);
  const all = uploads.map(({ sha256: hash, url }) => {
    const content = Object.values(files).find((text) => sha256(text) === hash) ?? '';
    return { hash, url, content };
  });
  const send = async (method: string, url: string, body: string, hashes: readonly string[]) => {
    const headers = { 'content-length': String(body.length) };
    const answer = await rawRequest(server.port, url, { method, body, headers });
    assert.equal(answer.status, 200, answer.text());
    told(hashes);
  };
  const short = all.filter(({ content }) => content.length <= batch.maxFileBytes);
  const parts = short.map(({ url, content }) => `${url}\n${content}`);
  const hashes = short.map(({ hash }) => hash);
  if (short.length > 0) await send('POST', batch.url, parts.join(''), hashes);
  for (const one of all) if (!short.includes(one)) await send('PUT', one.url, one.content, [one.hash]);
}

/**
 * Asserts that every acknowledged step is stored, that the version can be finished, and that it is judged and
 * served.
 */
export async function verify(
  server: Asked,
  token: string,
  done: Acknowledged,
  files: Record<string, string>,
): Promise<void> {
  if (done.id === undefined || done.slug === undefined) return;
  const client = createClient({ baseUrl: server.baseUrl, token, retry: false });
  const params = { id: done.id };
  const read = await client.readVersion({ params });
  for (const entry of fileEntries(files)) {
    if (done.uploaded.has(entry.sha256))
      assert.ok(!read.missing?.includes(entry.path), `${entry.path} was acknowledged`);
  }
  if (done.finished) assert.notEqual(read.status, 'uploading');
  if (done.live) assert.equal(read.status, 'live');
  if (read.status === 'uploading') {
    await upload(server, await client.freshUploads({ params }), files);
    await client.finishVersion({ params, body: { preview: false } });
  }
  let judged = await client.readVersion({ params, query: { wait: 20 } });
  if (judged.status === 'checking') judged = await client.readVersion({ params, query: { wait: 20 } });
  assert.equal(judged.status, 'live', `${judged.status}: ${judged.reason}`);
  const live = liveAddress(server, done.slug);
  for (const [path, content] of Object.entries(files)) {
    // A busy machine may say that it takes too long.
    const served = await onceFree(() => rawRequest(server.port, new URL(path, live).href));
    assert.equal(served.status, 200, path);
    assert.equal(withoutModule(served.text()), content);
  }
}
