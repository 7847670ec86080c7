import { issueOf, parseWith } from '@spaceport/contract/parse';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ServiceError } from '../platform/errors.ts';
import { senderOf } from '../platform/http/same-origin.ts';
import type { AccountServices } from './account-services.ts';
import { madePasskey, usedPasskey } from './passkey-bodies.ts';
import type { Begun } from './passkey-ceremonies.ts';
import { requireSession } from './signed-in.ts';

/**
 * Routes for the service's own pages only. Their bodies are those of WebAuthn, so they are not
 * operations of the contract.
 */
const paths = {
  beginMaking: '/api/auth/passkey/generate-register-options',
  make: '/api/auth/passkey/verify-registration',
  beginUse: '/api/auth/passkey/generate-authenticate-options',
  use: '/api/auth/passkey/verify-authentication',
} as const;

export interface PasskeyServices extends Pick<AccountServices, 'passkeyCeremonies' | 'sessions' | 'limits'> {
  /** The origin in BASE_URL. */
  readonly appOrigin: string;
}

/**
 * Mounts the passkey routes. Options come by GET and are answered by POST from the same browser: a
 * cookie names it.
 */
export function mountPasskeys(
  app: FastifyInstance,
  { passkeyCeremonies, sessions, limits, appOrigin }: PasskeyServices,
): void {
  const begun = ({ options, cookie }: Begun<object>, reply: FastifyReply) => {
    reply.header('set-cookie', cookie);
    return options;
  };
  const requireOwnPage = ({ headers }: FastifyRequest) => {
    if (senderOf(headers, appOrigin) === 'same-origin') return;
    throw new ServiceError('forbidden', "The request was sent from another site's page.");
  };

  app.get(paths.beginMaking, async ({ address, headers }, reply) => {
    await limits.passkeyOptions(address);
    return begun(
      await passkeyCeremonies.beginMaking(await requireSession(sessions, headers), headers),
      reply,
    );
  });

  app.post(paths.make, async (request) => {
    requireOwnPage(request);
    const session = await requireSession(sessions, request.headers);
    await passkeyCeremonies.make(session, parse(madePasskey, request.body), request.headers);
    return { made: true };
  });

  app.get(paths.beginUse, async ({ address, headers }, reply) => {
    await limits.passkeyOptions(address);
    return begun(await passkeyCeremonies.beginUse(await sessions.find(headers), headers), reply);
  });

  app.post(paths.use, async (request, reply) => {
    requireOwnPage(request);
    await limits.signInFrom(request.address);
    const used = parse(usedPasskey, request.body);
    reply.header('set-cookie', await passkeyCeremonies.use(used, request.headers));
    return { signed_in: true };
  });
}

function parse<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = parseWith(schema, body);
  if (parsed.success) return parsed.data;
  throw new ServiceError('invalid', 'The passkey was not accepted.', {
    issues: parsed.problems.map(issueOf),
  });
}
