import assert from 'node:assert/strict';
import { createClient } from '@spaceport/client/client';
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
  await upload(server, created.uploads, files, (hash) =>
    note({ uploaded: new Set([...done.uploaded, hash]) }),
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

async function upload(
  server: Asked,
  uploads: { sha256: string; url: string }[],
  files: Record<string, string>,
  told: (hash: string) => void = () => {},
) {
  for (const { sha256: hash, url } of uploads) {
    const content = Object.values(files).find((text) => sha256(text) === hash) ?? '';
    const answer = await rawRequest(server.port, url, {
      method: 'PUT',
      body: content,
      headers: { 'content-length': String(content.length) },
    });
    assert.equal(answer.status, 200, answer.text());
    told(hash);
  }
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
    const { uploads } = await client.freshUploads({ params });
    await upload(server, uploads, files);
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
