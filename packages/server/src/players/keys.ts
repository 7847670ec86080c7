import type { AnswerOf } from '@spaceport/contract/operation';
import type { readKeys } from '@spaceport/contract/players';
import type { CryptoKey, JWK } from 'jose';
import type { Platform } from '../platform/context.ts';
import { fromJson, toJson } from '../platform/db/json.ts';
import { type KeyTimes, missingKeys, shownKeys, signingKey } from './key-schedule.ts';
import { deleteKeys, insertKey, type KeyRow, listKeys } from './keys.queries.ts';

/** How long a node caches the keys: much less than the time for which a key is shown before it signs. */
const cacheMs = 60_000;
export const algorithm = 'ES256';

export type PublicKey = AnswerOf<typeof readKeys>['keys'][number];

/**
 * The keys that sign player tokens. They are made on first use and stored in the database, so
 * all nodes have the same.
 */
export interface PlayerKeys {
  /** Returns the key that signs now. */
  signing(): Promise<{ kid: string; privateKey: CryptoKey }>;
  /** Returns the public half of a key while tokens signed with it may be valid. Writes nothing. */
  find(kid: string): Promise<CryptoKey | undefined>;
  /** Returns the key set (RFC 7517): the current key, earlier ones, and the next one. */
  published(): Promise<PublicKey[]>;
  /** Makes the missing keys and deletes those whose last token has ended. */
  rotate(): Promise<void>;
}

interface LoadedKey extends KeyTimes {
  readonly shown: PublicKey;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

export function createPlayerKeys({
  config,
  database,
  clock,
}: Pick<Platform, 'config' | 'database' | 'clock'>): PlayerKeys {
  const keyMs = config.PLAYER_KEY_SECONDS * 1_000;
  let loaded: { readonly at: number; readonly keys: Promise<LoadedKey[]> } | null = null;

  function known(): Promise<LoadedKey[]> {
    const now = clock.now();
    // If the clock went back, the cache must not be valid for longer.
    if (loaded && now >= loaded.at && now - loaded.at < cacheMs) return loaded.keys;
    const loading = { at: now, keys: listKeys(database.db).then((rows) => Promise.all(rows.map(load))) };
    loaded = loading;
    const forget = () => {
      if (loaded === loading) loaded = null;
    };
    // An empty result is not cached: another node may make the first key, which signs at once.
    loading.keys.then((keys) => keys.length === 0 && forget(), forget);
    return loading.keys;
  }

  async function rotate(): Promise<void> {
    const now = clock.now();
    // At most two keys are missing. They are made before the transaction, so that it is short.
    const spare = [await makeKey(now), await makeKey(now)];
    await database.transaction(async (tx) => {
      // Nodes that rotate at once take turns: the second one finds no key missing.
      await tx.lock('player-keys');
      const keys = (await listKeys(tx.db)).map(toTimes);
      for (const [index, signsFrom] of missingKeys(keys, now, keyMs).entries()) {
        const made = spare[index];
        if (made) await insertKey(tx, { ...made, signs_from: signsFrom });
      }
      const stay = new Set(shownKeys(keys, now));
      const ended = keys.filter((key) => !stay.has(key));
      if (ended.length > 0)
        await deleteKeys(
          tx,
          ended.map(({ kid }) => kid),
        );
    });
    loaded = null;
  }

  /** Returns the keys, after missing ones were made. */
  async function complete(): Promise<LoadedKey[]> {
    const keys = await known();
    if (missingKeys(keys, clock.now(), keyMs).length === 0) return keys;
    await rotate();
    return known();
  }

  return {
    async signing() {
      const key = signingKey(await complete(), clock.now());
      if (!key) throw new Error('there is no key to sign player tokens with');
      return key;
    },
    async find(kid) {
      return shownKeys(await known(), clock.now()).find((key) => key.kid === kid)?.publicKey;
    },
    async published() {
      return shownKeys(await complete(), clock.now()).map(({ shown }) => shown);
    },
    async rotate() {
      const keys = await known();
      // A service without players has no keys, and needs none.
      if (keys.length === 0) return;
      const now = clock.now();
      if (missingKeys(keys, now, keyMs).length > 0 || shownKeys(keys, now).length < keys.length)
        await rotate();
    },
  };
}

function toTimes(row: KeyRow): KeyTimes {
  return { kid: row.kid, signsFrom: row.signs_from };
}

async function makeKey(now: number): Promise<Omit<KeyRow, 'signs_from'>> {
  const jose = await import('jose');
  const pair = await jose.generateKeyPair(algorithm, { extractable: true });
  const publicJwk = await jose.exportJWK(pair.publicKey);
  return {
    // RFC 7638: the id of a key is computed from the key.
    kid: await jose.calculateJwkThumbprint(publicJwk),
    private_jwk: toJson(await jose.exportJWK(pair.privateKey)),
    public_jwk: toJson(publicJwk),
    created_at: now,
  };
}

async function load(row: KeyRow): Promise<LoadedKey> {
  const { x = '', y = '' } = fromJson(row.public_jwk);
  const shown = { kty: 'EC', crv: 'P-256', x, y, kid: row.kid, alg: algorithm, use: 'sig' } as const;
  return {
    ...toTimes(row),
    shown,
    publicKey: await importKey(shown),
    privateKey: await importKey(fromJson(row.private_jwk)),
  };
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const jose = await import('jose');
  const key = await jose.importJWK(jwk, algorithm);
  if (key instanceof Uint8Array) throw new Error('a player key is not an elliptic curve key');
  return key;
}
