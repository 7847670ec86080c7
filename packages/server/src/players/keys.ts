import type { AnswerOf } from '@spaceport/contract/operation';
import type { readKeys } from '@spaceport/contract/players';
import type { CryptoKey, JWK } from 'jose';
import type { Platform } from '../platform/context.ts';
import { fromJson, toJson } from '../platform/db/json.ts';
import { type KeyTimes, missingKeys, shownKeys, signingKey } from './key-schedule.ts';
import { deleteKeys, insertKey, type KeyRow, listKeys } from './keys.queries.ts';

/** How long a node goes by what it read: far under the time a key is there before it signs. */
const cacheMs = 60_000;
export const algorithm = 'ES256';

export type PublicKey = AnswerOf<typeof readKeys>['keys'][number];

/** The keys that player tokens are signed with: made on first use, kept in the database, the same on every node. */
export interface PlayerKeys {
  /** The key that signs now. */
  signing(): Promise<{ kid: string; privateKey: CryptoKey }>;
  /** The public half of a key, as long as a token signed with it may hold. Writes nothing. */
  find(kid: string): Promise<CryptoKey | undefined>;
  /** The key set (RFC 7517): what is signed with now, what was, and what comes. */
  published(): Promise<PublicKey[]>;
  /** Makes the keys that are lacking and drops those whose last token has ended. */
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
    // A clock that went back must not make this hold for longer.
    if (loaded && now >= loaded.at && now - loaded.at < cacheMs) return loaded.keys;
    const loading = { at: now, keys: listKeys(database.db).then((rows) => Promise.all(rows.map(load))) };
    loaded = loading;
    const forget = () => {
      if (loaded === loading) loaded = null;
    };
    // The first key signs from when another node makes it: that there is none does not hold for any time.
    loading.keys.then((keys) => keys.length === 0 && forget(), forget);
    return loading.keys;
  }

  async function rotate(): Promise<void> {
    const now = clock.now();
    // Two at most are ever lacking; made ahead, so that the transaction is short.
    const spare = [await makeKey(now), await makeKey(now)];
    await database.transaction(async (tx) => {
      // Nodes that rotate at once agree: who comes second finds nothing lacking.
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

  /** The keys, with none lacking. */
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
      // A service that nobody plays on has no keys, and needs none.
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
    // RFC 7638: the name of a key follows from the key.
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
