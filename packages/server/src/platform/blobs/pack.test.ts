import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib';
import { BlobGone, BlobMismatch, type BlobStore } from './blob-store.ts';
import { openFolderStore } from './folder-store.ts';
import { packBlob } from './pack.ts';
import { PackingProcess } from './packing-process.ts';

const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync } as const;
const script = 'export function jump(player) { return player.y + 12; }\n';

describe('packing a blob', () => {
  let folder: string;
  let temporaryFolder: string;
  let store: BlobStore;
  const packing = new PackingProcess();
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spaceport-pack-'));
    temporaryFolder = join(folder, 'scratch');
    store = await openFolderStore(join(folder, 'blobs'));
  });
  after(async () => {
    packing.close();
    await store.close();
    await rm(folder, { recursive: true });
  });

  async function stored(bytes: Buffer): Promise<{ key: string; size: number }> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    return {
      key: await store.write(Readable.from([Buffer.from(bytes)]), { hash, size: bytes.length }),
      size: bytes.length,
    };
  }

  async function pack(bytes: Buffer, signal?: AbortSignal) {
    return packBlob(store, await stored(bytes), { packing, temporaryFolder, ...(signal ? { signal } : {}) });
  }

  test('makes no form of other bytes than those of the file', async () => {
    const blob = await stored(Buffer.alloc(20_000, script));
    const open = async () => Readable.from([Buffer.alloc(20_000, script.toUpperCase())]);
    const damaged = { ...bound(store), open };
    await assert.rejects(packBlob(damaged, blob, { packing, temporaryFolder }), BlobMismatch);
  });

  const contents = {
    'a small script': Buffer.alloc(3_000, script),
    'a script': Buffer.alloc(500_000, script),
    // Half random, so that the forms are too large to be kept in memory.
    'an engine': Buffer.concat([randomBytes(9_000_000), Buffer.alloc(9_000_000, script)]),
  };
  for (const [name, bytes] of Object.entries(contents)) {
    test(`makes three forms of ${name}, each of which decodes to the same bytes`, async () => {
      const forms = await pack(bytes);
      for (const [coding, decode] of Object.entries(decoders)) {
        const form = forms[coding as keyof typeof decoders];
        assert.ok(form, coding);
        const packed = await store.read(form.key);
        assert.equal(packed.length, form.size);
        assert.ok(packed.length < bytes.length);
        assert.ok(decode(packed).equals(bytes), coding);
      }
      assert.deepEqual(await readdir(temporaryFolder).catch(() => []), []);
    });
  }

  const texture = (scheme: number) => {
    const bytes = Buffer.alloc(5_000);
    Buffer.from([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]).copy(bytes);
    bytes.writeUInt32LE(scheme, 44);
    return bytes;
  };
  const beginning = (...head: (number[] | string)[]) =>
    Buffer.concat([...head.map((part) => Buffer.from(part as string)), Buffer.alloc(5_000)]);
  const left: Record<string, Buffer> = {
    'under 1 KiB': Buffer.alloc(1_000, script),
    'without any pattern': randomBytes(200_000),
    'that would shrink by less than 5 %': Buffer.concat([randomBytes(200_000), Buffer.alloc(6_000)]),
    'that would shrink by less than 256 bytes': Buffer.concat([randomBytes(1_000), Buffer.alloc(200)]),
    'of gzip': gzipSync(Buffer.alloc(50_000_000)),
    'of PNG': beginning([0x89], 'PNG\r\n'),
    'of JPEG': beginning([0xff, 0xd8, 0xff, 0xe0]),
    'of WebP': beginning('RIFF', [1, 2, 3, 4], 'WEBP'),
    'of AVIF': beginning([0, 0, 0, 32], 'ftypavif'),
    'of zstd': beginning([0x28, 0xb5, 0x2f, 0xfd]),
    'of WebM': beginning([0x1a, 0x45, 0xdf, 0xa3]),
    'of KTX2 with supercompression': texture(2),
  };
  for (const [name, bytes] of Object.entries(left)) {
    test(`makes no form of a file ${name}`, async () => {
      const blob = await stored(bytes);
      const earlier = await keys();
      assert.deepEqual(await packBlob(store, blob, { packing, temporaryFolder }), {});
      assert.deepEqual(await keys(), earlier);
    });
  }

  test('makes forms of uncompressed textures and sound', async () => {
    assert.equal(Object.keys(await pack(texture(0))).length, 3);
    assert.equal(Object.keys(await pack(beginning('RIFF', [1, 2, 3, 4], 'WAVE'))).length, 3);
  });

  test('does not read a file over 128 MiB', async () => {
    const blob = { key: 'not looked at', size: 128 * 1024 * 1024 + 1 };
    assert.deepEqual(await packBlob(store, blob, { packing, temporaryFolder }), {});
  });

  test('fails when the blob is gone', async () => {
    const blob = await stored(contents['a script']);
    await store.delete(blob.key);
    await assert.rejects(packBlob(store, blob, { packing, temporaryFolder }), BlobGone);
  });

  test('can be aborted, and then leaves no form', async () => {
    await assert.rejects(pack(contents['a script'], AbortSignal.abort(new Error('enough'))), /enough/u);

    const blob = await stored(contents['an engine']);
    const earlier = await keys();
    const breakOff = new AbortController();
    // It fails in the middle of the second form, after the first was written.
    let opened = 0;
    const watched: BlobStore = {
      ...bound(store),
      open: (key, range) => {
        opened += 1;
        if (opened === 3) setImmediate(() => breakOff.abort());
        return store.open(key, range);
      },
    };
    const broken = packBlob(watched, blob, { packing, temporaryFolder, signal: breakOff.signal });
    await assert.rejects(broken, { name: 'AbortError' });
    assert.deepEqual(await keys(), earlier);
    assert.deepEqual(await readdir(temporaryFolder), []);
  });

  async function keys(): Promise<Set<string>> {
    return new Set((await Array.fromAsync(store.list())).map((entry) => entry.key));
  }
});

/** The store's operations as plain properties, so that some can be replaced. */
function bound(store: BlobStore): BlobStore {
  return {
    write: (source, expected) => store.write(source, expected),
    open: (key, range) => store.open(key, range),
    read: (key) => store.read(key),
    size: (key) => store.size(key),
    sweep: () => store.sweep(),
    delete: (key) => store.delete(key),
    list: () => store.list(),
    owner: () => store.owner(),
    claim: (owner) => store.claim(owner),
    ping: () => store.ping(),
    close: () => store.close(),
  };
}
