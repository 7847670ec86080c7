import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

interface Asset {
  readonly address: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly cacheControl: string;
}

const forever = 'public, max-age=31536000, immutable';

/** The script of /claim. A changed one has another address, so that it may be kept for good. */
export const claimScript = hashed('claim.js', 'text/javascript; charset=utf-8');
/** The script of /sign-in and /settings. */
export const passkeyScript = hashed('passkeys.js', 'text/javascript; charset=utf-8');
const icon: Asset = {
  address: '/favicon.svg',
  type: 'image/svg+xml',
  bytes: readFileSync(new URL('icon.svg', import.meta.url)),
  cacheControl: 'public, max-age=86400',
};

/** Our own files that pages load. */
export function mountAssets(app: FastifyInstance): void {
  for (const { address, type, bytes, cacheControl } of [claimScript, passkeyScript, icon]) {
    app.get(address, async (_request, reply) =>
      reply.header('cache-control', cacheControl).type(type).send(bytes),
    );
  }
}

function hashed(name: string, type: string): Asset {
  const bytes = readFileSync(new URL(name, import.meta.url));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  return { address: `/pages/${name.replace('.', `-${hash}.`)}`, type, bytes, cacheControl: forever };
}
