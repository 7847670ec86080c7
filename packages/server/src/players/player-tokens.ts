import { type PlayerClaims, playerClaims } from '@spaceport/contract/players';
import type { Platform } from '../platform/context.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { Env } from '../platform/db/schema.ts';
import { algorithm, type PlayerKeys } from './keys.ts';
import type { SubjectOf } from './subjects.ts';

/** The content of a player token: the player and the place of the play. */
export interface Play {
  readonly accountId: AccountId;
  readonly handle: string;
  readonly space: { readonly id: SpaceId; readonly slug: string };
  readonly env: Env;
}

export interface PlayerTokens {
  sign(play: Play): Promise<{ token: string; expiresAt: number }>;
  /**
   * Returns the claims of a valid token, else what is wrong with it, as the end of a sentence that
   * begins with «player_token».
   */
  verify(token: string, where: { slug: string; env: Env }): Promise<PlayerClaims | string>;
}

const notOurs = 'is not a player token of this service';

/**
 * Creates player tokens: ES256 JWTs that a space's own server can verify too.
 */
export function createPlayerTokens(
  { config, clock, urls }: Pick<Platform, 'config' | 'clock' | 'urls'>,
  keys: PlayerKeys,
  subjectOf: SubjectOf,
): PlayerTokens {
  return {
    async sign({ accountId, handle, space, env }) {
      const jose = await import('jose');
      const { kid, privateKey } = await keys.signing();
      const iat = Math.floor(clock.now() / 1_000);
      const exp = iat + config.PLAYER_TOKEN_SECONDS;
      const sub = await subjectOf(accountId, space.id);
      const claims: PlayerClaims = { iss: urls.app, aud: space.slug, sub, handle, env, iat, exp };
      const token = await new jose.SignJWT({ ...claims })
        .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
        .sign(privateKey);
      return { token, expiresAt: exp * 1_000 };
    },

    async verify(token, { slug, env }) {
      const jose = await import('jose');
      try {
        const { payload } = await jose.jwtVerify(
          token,
          async ({ kid }) => {
            const key = kid === undefined ? undefined : await keys.find(kid);
            if (!key) throw new jose.errors.JWKSNoMatchingKey();
            return key;
          },
          // Only the service's algorithm is accepted: not `none`, and no public key used as a shared secret.
          { algorithms: [algorithm], issuer: urls.app, audience: slug, currentDate: new Date(clock.now()) },
        );
        const { data: claims } = playerClaims.safeParse(payload);
        if (!claims) return notOurs;
        if (claims.env === env) return claims;
        return claims.env === 'sandbox'
          ? 'is of the sandbox: it posts only with `sandbox: true`'
          : 'is of live play: it does not post to the sandbox';
      } catch (error) {
        if (error instanceof jose.errors.JWTExpired) return 'has expired';
        if (error instanceof jose.errors.JWTClaimValidationFailed && error.claim === 'aud') {
          return 'is of another space';
        }
        if (error instanceof jose.errors.JOSEError) return notOurs;
        throw error;
      }
    },
  };
}
