import type { Client } from '@spaceport/client/client';
import type { CreatedAnswer, VersionDetails } from '@spaceport/client/publish';
import type { SpaceFields } from '@spaceport/contract/spaces';
import { patientClient } from '../../data/client.ts';
import { forgetClaim, type KeptClaim, keepClaim } from '../../data/kept-claims.ts';
import type { Look } from './look-through.ts';

/** The target of a publish. */
export type Target =
  /** A new space of the account; without one, a page that lasts a week. */
  | { readonly is: 'new' }
  /** A space of the account. */
  | { readonly is: 'space'; readonly slug: string; readonly title: string }
  /** A page that this browser published without an account. */
  | { readonly is: 'claim'; readonly claim: KeptClaim };

/** Required fields of a new space. For an existing space, only service.json changes fields. */
export type NewFields = Pick<SpaceFields, 'title' | 'space_type' | 'devices'>;

export function clientFor(target: Target): Client {
  return target.is === 'claim' ? patientClient.withClaim(target.claim.claimToken) : patientClient;
}

export function detailsFor(target: Target, { settings, entry }: Look, asked: NewFields): VersionDetails {
  const fields = target.is === 'new' ? { ...settings.fields, ...asked } : settings.fields;
  return {
    ...(target.is === 'space' && { space: target.slug }),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...settings.declarations,
    ...(entry !== 'index.html' && { entry }),
  };
}

/**
 * Stores the claim token of a page that was just made without an account. Returns null if there is no token.
 * `kept` is false if this browser does not store it.
 */
export function keepClaimOf(
  created: CreatedAnswer,
  title: string,
  folder: string,
): { claim: KeptClaim; kept: boolean } | null {
  const { claimToken, pageUrl, expiresAt, space } = created;
  if (claimToken === undefined || pageUrl === undefined || expiresAt === undefined) return null;
  const claim = { slug: space.slug, title, folder, pageUrl, expiresAt, claimToken };
  return { claim, kept: keepClaim(claim) };
}

/** Forgets the claim token of a page that an account takes over by publishing to it. */
export function forgetTakenOver(target: Target, { pageUrl }: CreatedAnswer): void {
  // Only a page without an account has this field.
  if (target.is === 'claim' && pageUrl === undefined) forgetClaim(target.claim.claimToken);
}
