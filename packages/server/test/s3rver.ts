import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressesOf, type TestS3 } from './s3-address.ts';

interface Range {
  start?: number;
  end?: number | object;
}
interface S3Server {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  httpServer: Server;
  store: { getObject(bucket: string, key: string, range?: Range): Promise<unknown> };
}
const require = createRequire(import.meta.url);
// The package has no types.
const S3rver = require('@20minutes/s3rver') as new (options: object) => S3Server;

/** Starts npm's S3 server over a new folder. It accepts any secret and any bytes, and ignores conditions. */
export async function startS3rver(): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), 'spaceport-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    // The client signs `/bucket/`, but this server expects the signature of `/bucket`.
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: 'spaceport' }],
  });
  answerFirstByteRanges(server.store);
  allowPages();
  const { port } = await server.run();
  return {
    name: 's3rver',
    isStrict: false,
    ...addressesOf(port, { keyId: 'S3RVER', secret: 'S3RVER' }),
    stop: async () => {
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Fixes `bytes=0-0`, which this server answers with the whole object, because 0 is falsy; a boxed 0 is not.
 */
function answerFirstByteRanges(store: S3Server['store']): void {
  const getObject = store.getObject.bind(store);
  store.getObject = (bucket, key, range) =>
    getObject(bucket, key, range?.end === 0 ? { ...range, end: Object(0) } : range);
}

type Cipher = (algorithm: string, key: Buffer, iv: Buffer, ...rest: unknown[]) => unknown;
let pagesAllowed = false;

/**
 * Fixes its page tokens, which use DES. OpenSSL 3 lacks DES; triple DES with the same key three times is
 * equal.
 */
function allowPages(): void {
  if (pagesAllowed) return;
  pagesAllowed = true;
  // The module object that the server's own require answers, for it calls through that.
  const crypto = require('node:crypto') as { createCipheriv: Cipher; createDecipheriv: Cipher };
  for (const name of ['createCipheriv', 'createDecipheriv'] as const) {
    const original = crypto[name];
    crypto[name] = (algorithm, key, iv, ...rest) =>
      algorithm === 'des'
        ? original('des-ede3-cbc', Buffer.concat([key, key, key]), iv)
        : original(algorithm, key, iv, ...rest);
  }
}
