import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { Platform } from '../platform/context.ts';
import { readCookie, toSetCookie } from '../platform/http/cookies.ts';
import { insertSecret, useSecret } from './sign-in/one-time-secrets.queries.ts';
import { cookiePrefix } from './sign-in/session-token.ts';

const challengeSeconds = 300;

/** The challenges that wait for the answer of a browser. Each works once, in the browser that asked for it. */
export interface PasskeyChallenges {
  /** Stores a challenge. Returns the Set-Cookie header that names the browser. */
  issue(purpose: string, challenge: string, headers: IncomingHttpHeaders): Promise<string>;
  /**
   * Uses the challenge up that a browser has signed.
   * @param clientData the `clientDataJSON` of its answer
   * @returns null if it is none of this purpose and browser, or too old
   */
  use(purpose: string, clientData: string, headers: IncomingHttpHeaders): Promise<string | null>;
}

/**
 * The cookie stays the same while a browser asks for challenges, because its tabs share it: one cookie for each
 * challenge would end the one that another tab waits for.
 */
export function createPasskeyChallenges({
  database,
  clock,
  config,
}: Pick<Platform, 'database' | 'clock' | 'config'>): PasskeyChallenges {
  const { prefix, secure } = cookiePrefix(config.BASE_URL);
  const name = `${prefix}.passkey_challenge`;

  const browserIn = ({ cookie }: IncomingHttpHeaders): string | null => {
    const found = readCookie(cookie, name);
    return found !== null && /^[\w-]{43}$/u.test(found) ? found : null;
  };

  return {
    async issue(purpose, challenge, headers) {
      const browser = browserIn(headers) ?? randomBytes(32).toString('base64url');
      const now = clock.now();
      const kept = { value: challenge, now, expiresAt: now + challengeSeconds * 1000 };
      await insertSecret(database.db, { purpose, secret: `${browser}:${challenge}` }, kept);
      return toSetCookie({ name, value: browser, maxAgeSeconds: challengeSeconds, secure });
    },
    async use(purpose, clientData, headers) {
      const browser = browserIn(headers);
      const challenge = challengeIn(clientData);
      if (browser === null || challenge === null) return null;
      return useSecret(database.db, { purpose, secret: `${browser}:${challenge}` }, clock.now());
    },
  };
}

const signed = z.object({ challenge: z.string() });

/** Returns the challenge in what a browser has signed; null if there is none. */
function challengeIn(clientData: string): string | null {
  try {
    return signed.parse(JSON.parse(Buffer.from(clientData, 'base64url').toString())).challenge;
  } catch {
    return null;
  }
}
