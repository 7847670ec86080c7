import type { TokenChoice } from '@spaceport/contract/first-data';
import type { Scope } from '@spaceport/contract/scopes';
import type { Platform } from '../platform/context.ts';
import type { AccountId, SessionId, SpaceId, TokenId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { type RateLimit, requireWithin } from '../platform/limits/rate-limit.ts';
import { invalidField } from './credentials.ts';
import { findOwnSpace, findOwnSpaceById, listOwnSpaces, type NamedSpace } from './own-spaces.queries.ts';
import type { Session } from './sign-in/sessions.ts';
import { requireStanding } from './standing.ts';
import { scopesToText } from './token-reach.ts';
import { findListedToken, type ListedToken, updateToken } from './tokens.queries.ts';
import { type IssuedToken, noSuchToken, type Tokens } from './tokens.ts';

const daySeconds = 24 * 3600;
/** How many tokens a person may make by hand. Each is a row that lasts, and is in the person's list. */
const madeByHand: RateLimit = { count: 60, seconds: 3600 };

/** The wanted properties of a token. The space is named by its slug. */
export interface TokenWish {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly space: string | null;
  readonly days: number | null;
}

/** Who makes a token for an account: its session, or without one the admin command. */
export type TokenMaker = Pick<Session, 'creator'> & { readonly id: SessionId | null };

/** A page with this many takes some ten milliseconds to make. */
const mostOptions = 2_000;

/** The tokens that the owner of an account makes and changes by hand, for a build server for example. */
export interface OwnTokens {
  /**
   * Makes a token for the owner of an account.
   * @throws `not_found` for a space that is not theirs, `forbidden` for `operate` if they are not
   * an operator, `unauthorized` if the session has ended, `rate_limited`, and `invalid`
   */
  make(by: TokenMaker, wish: TokenWish): Promise<IssuedToken & { about: ListedToken }>;
  /**
   * Renames a token, or reduces its scopes and spaces.
   * @throws `not_found` for a token or a space that is not theirs, `invalid` if the token would get more
   */
  narrow(
    creatorId: AccountId,
    tokenId: TokenId,
    change: { name?: string | undefined; scopes?: readonly Scope[] | undefined; space?: string | undefined },
  ): Promise<ListedToken>;
  /**
   * Returns the spaces that a token could be for, by title, to be chosen from in so many lists of one page. Null if that
   * would be too many options: then their names are typed.
   */
  spacesOf(creatorId: AccountId, lists: number): Promise<TokenChoice['spaces']>;
  /** The longest time that a token lasts, in days. */
  readonly maxDays: number;
}

export function createOwnTokens(
  { database, clock, config }: Pick<Platform, 'database' | 'clock' | 'config'>,
  { issue }: Pick<Tokens, 'issue'>,
): OwnTokens {
  const maxDays = Math.max(1, Math.floor(config.API_TOKEN_SECONDS / daySeconds));

  return {
    async make({ id: sessionId, creator }, { name, scopes, space, days }) {
      const { id: creatorId, operator } = creator;
      requireGrantable(scopes, { operator, oneSpace: space !== null });
      if (days !== null && days > maxDays) throw invalidField('days', `must be at most ${maxDays}`);
      const now = clock.now();
      return database.transaction(async (tx) => {
        if (sessionId !== null) {
          await requireStanding(tx, { id: sessionId, creator });
          await requireWithin(tx, `tokens:${creatorId}`, madeByHand, tooManyTokens);
        }
        const spaceId = space === null ? null : (await ownSpace(tx, creatorId, space)).id;
        const lifetime = days === null ? {} : { expiresInSeconds: days * daySeconds };
        const issued = await issue(creatorId, { name: name.trim(), scopes, spaceId, ...lifetime }, tx.db);
        const about = await findListedToken(tx, { creatorId, tokenId: issued.id, now });
        if (!about) throw new Error('the token that was just made is not there');
        return { ...issued, about };
      });
    },

    narrow: (creatorId, tokenId, { name, scopes, space }) =>
      database.transaction(async (tx) => {
        const one = { creatorId, tokenId, now: tx.now };
        // If two changes come at once, the second sees what the first has removed.
        await tx.lock(`token:${tokenId}`);
        const before = await findListedToken(tx, one);
        if (!before) throw noSuchToken();
        if (scopes?.some((scope) => !before.scopes.includes(scope))) {
          throw invalidField('scopes', 'can be taken away, not added: make a new token for more');
        }
        if (space !== undefined && before.space !== null && before.space.slug !== space) {
          throw invalidField('space', 'is fixed: make a new token for another space');
        }
        const kept = scopes ?? before.scopes;
        if (space !== undefined) requireGrantable(kept, { operator: true, oneSpace: true });
        const spaceId =
          space === undefined ? (before.space?.id ?? null) : (await ownSpace(tx, creatorId, space)).id;
        await updateToken(tx, tokenId, {
          client_name: name?.trim() ?? before.clientName,
          scopes: scopesToText(kept),
          space_id: spaceId,
        });
        tx.announce('creator', creatorId);
        const after = await findListedToken(tx, one);
        if (!after) throw noSuchToken();
        return after;
      }),

    async spacesOf(creatorId, lists) {
      const most = Math.floor(mostOptions / lists);
      const spaces = await listOwnSpaces(database.db, creatorId, most + 1);
      return spaces.length > most ? null : spaces.map(({ slug, title }) => ({ slug, title }));
    },

    maxDays,
  };
}

const tooManyTokens = `More than ${madeByHand.count} tokens were made in an hour; try again later.`;

/** @throws `not_found` */
export async function ownSpace(tx: Tx, creatorId: AccountId, slug: string): Promise<NamedSpace> {
  const space = await findOwnSpace(tx.db, creatorId, slug);
  if (!space) throw new ServiceError('not_found', `You have no space «${slug}».`);
  return space;
}

/** Returns the space that a token was to be for; undefined if it is no longer theirs. */
export function ownSpaceById(tx: Tx, creatorId: AccountId, id: SpaceId): Promise<NamedSpace | undefined> {
  return findOwnSpaceById(tx.db, creatorId, id);
}

/** @throws `forbidden` or `invalid` for scopes that the person may not give, or not for one space alone */
export function requireGrantable(
  scopes: readonly Scope[],
  { operator, oneSpace }: { operator: boolean; oneSpace: boolean },
): void {
  if (!scopes.includes('operate')) return;
  if (!operator)
    throw new ServiceError('forbidden', 'Only an operator can let a program operate the service.');
  if (oneSpace)
    throw invalidField('scopes', 'cannot have operate for one space only: that scope is for all spaces');
}
