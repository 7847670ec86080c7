import type { IncomingHttpHeaders } from 'node:http';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Platform } from '../platform/context.ts';
import { isUniqueViolation } from '../platform/db/failures.ts';
import { ServiceError } from '../platform/errors.ts';
import { knownTransports, type MadePasskey, type UsedPasskey } from './passkey-bodies.ts';
import { createPasskeyChallenges } from './passkey-challenges.ts';
import {
  countPasskeyUse,
  findPasskey,
  findPasskeysOf,
  insertPasskey,
  type KeptPasskey,
} from './passkeys.queries.ts';
import type { Session, Sessions } from './sign-in/sessions.ts';
import { requireStanding } from './standing.ts';

/**
 * The maximum age of a session that may add a passkey. A stranger who finds a signed-in browser cannot
 * add one to come back with. It is longer than `provesOwnerSeconds`, which stands in for the password.
 */
const mayAddPasskeySeconds = 24 * 3600;

/** The options for the browser, and the Set-Cookie header that ties the answer to this browser. */
export interface Begun<Options> {
  readonly options: Options;
  readonly cookie: string;
}

/**
 * Makes and uses passkeys (WebAuthn). A challenge belongs to the browser that asked for it, and works once.
 */
export interface PasskeyCeremonies {
  /** Both `beginMaking` and `make` throw `forbidden` for a session that began more than a day ago. */
  beginMaking(
    session: Session,
    headers: IncomingHttpHeaders,
  ): Promise<Begun<PublicKeyCredentialCreationOptionsJSON>>;
  /**
   * @throws `invalid` without a challenge of the service, `forbidden` for a passkey that does not answer it
   */
  make(session: Session, made: MadePasskey, headers: IncomingHttpHeaders): Promise<void>;
  /** Begins a sign-in with any passkey. If an account is signed in, only its own passkeys are accepted. */
  beginUse(
    session: Session | null,
    headers: IncomingHttpHeaders,
  ): Promise<Begun<PublicKeyCredentialRequestOptionsJSON>>;
  /**
   * Signs the browser in. Returns the Set-Cookie header.
   * @throws `unauthorized` for an unknown passkey, `invalid` for one that does not answer a challenge of the
   * service, `forbidden` for a banned account
   */
  use(used: UsedPasskey, headers: IncomingHttpHeaders): Promise<string>;
}

export function createPasskeyCeremonies(
  { database, clock, config, log }: Pick<Platform, 'database' | 'clock' | 'config' | 'log'>,
  sessions: Sessions,
): PasskeyCeremonies {
  const expectedOrigin = config.BASE_URL;
  const rpID = new URL(expectedOrigin).hostname;
  const challenges = createPasskeyChallenges({ database, clock, config });

  async function challengeOf(
    purpose: string,
    { response }: { readonly response: { readonly clientDataJSON: string } },
    headers: IncomingHttpHeaders,
  ): Promise<string> {
    const challenge = await challenges.use(purpose, response.clientDataJSON, headers);
    if (challenge === null)
      throw refused('invalid', 'There is no challenge for this passkey, or it is too old.');
    return challenge;
  }

  function requireRecentSignIn({ createdAt }: Session): void {
    if (createdAt > clock.now() - mayAddPasskeySeconds * 1000) return;
    throw new ServiceError('forbidden', 'You signed in more than a day ago. Sign in again to add a passkey.');
  }

  /** The library's messages are about the protocol, so they go to the log and not to people. */
  function say(code: 'invalid' | 'forbidden') {
    return (error: unknown): never => {
      log.debug({ reason: error instanceof Error ? error.message : String(error) }, 'a passkey was refused');
      throw refused(code, 'The passkey was not accepted.');
    };
  }

  return {
    async beginMaking(session, headers) {
      requireRecentSignIn(session);
      const { generateRegistrationOptions } = await import('@simplewebauthn/server');
      const options = await generateRegistrationOptions({
        rpName: 'Spaceport',
        rpID,
        userName: session.email,
        userDisplayName: session.email,
        excludeCredentials: (await findPasskeysOf(database.db, session.creator.id)).map(toDescriptor),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      });
      return { options, cookie: await challenges.issue(making(session), options.challenge, headers) };
    },

    async make(session, { response, name = null }, headers) {
      requireRecentSignIn(session);
      const expectedChallenge = await challengeOf(making(session), response, headers);
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
      const { registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge,
        expectedOrigin,
        expectedRPID: rpID,
        requireUserVerification: false,
      }).catch(say('forbidden'));
      if (!registrationInfo) throw refused('forbidden', 'The passkey was not accepted.');
      const { credential, credentialDeviceType, credentialBackedUp, aaguid } = registrationInfo;
      const keep = database.transaction(async (tx) => {
        await requireStanding(tx, session);
        await insertPasskey(tx, {
          name,
          creator_id: session.creator.id,
          credential_id: credential.id,
          public_key: Buffer.from(credential.publicKey).toString('base64'),
          counter: credential.counter,
          device_type: credentialDeviceType,
          backed_up: credentialBackedUp ? 1 : 0,
          transports: response.response.transports.join(','),
          created_at: tx.now,
          aaguid,
        });
      });
      await keep.catch((error: unknown) => {
        throw isUniqueViolation(error)
          ? refused('forbidden', 'The account has this passkey already.')
          : error;
      });
    },

    async beginUse(session, headers) {
      const own = session ? await findPasskeysOf(database.db, session.creator.id) : [];
      const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
      const options = await generateAuthenticationOptions({
        rpID,
        userVerification: 'preferred',
        ...(own.length > 0 && { allowCredentials: own.map(toDescriptor) }),
      });
      return { options, cookie: await challenges.issue('passkey-use', options.challenge, headers) };
    },

    async use({ response }, headers) {
      const expectedChallenge = await challengeOf('passkey-use', response, headers);
      const passkey = await findPasskey(database.db, response.id);
      if (!passkey) throw noSuchPasskey();
      const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge,
        expectedOrigin,
        expectedRPID: rpID,
        credential: {
          id: passkey.credentialId,
          publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64')),
          counter: passkey.counter,
        },
        requireUserVerification: false,
      }).catch(say('invalid'));
      if (!verified) throw refused('unauthorized', 'The passkey was not accepted.');
      return database.transaction(async (tx) => {
        const begun = await sessions.begin(tx, passkey.creatorId, headers);
        const counted = { id: passkey.id, from: passkey.counter, to: authenticationInfo.newCounter };
        if (!(await countPasskeyUse(tx, counted))) throw noSuchPasskey();
        return begun;
      });
    },
  };
}

/** Ties the challenge to one account, so that it is not valid for another. */
function making({ creator }: Session): string {
  return `passkey-making:${creator.id}`;
}

function toDescriptor({ credentialId, transports }: Pick<KeptPasskey, 'credentialId' | 'transports'>) {
  return { id: credentialId, transports: knownTransports((transports ?? '').split(',')) };
}

function noSuchPasskey(): ServiceError {
  return refused('unauthorized', 'There is no such passkey.');
}

function refused(code: 'invalid' | 'unauthorized' | 'forbidden', sentence: string): ServiceError {
  return new ServiceError(
    code,
    sentence,
    code === 'invalid' ? { issues: [{ path: '', message: sentence }] } : {},
  );
}
