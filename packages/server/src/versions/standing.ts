import { isFrozen } from '@spaceport/contract/frozen';
import { ServiceError } from '../platform/errors.ts';
import { requireUnfrozen, type SpaceRow } from '../spaces/spaces.ts';
import type { VersionRow } from './versions.queries.ts';

/**
 * The rules for what can be done with a version, by its state and the state of its space. They are pure: the
 * caller has read, or locked, both.
 */

const offService: ReadonlySet<SpaceRow['state']> = new Set(['held', 'hidden', 'removed', 'deleted']);

/** Returns whether the space is off the service: no link shows it, and it is not judged. */
export function isOffService({ state }: Pick<SpaceRow, 'state'>): boolean {
  return offService.has(state);
}

/**
 * Returns whether a newer version is served, so that only publishing again helps.
 * @param live the version that the space points at
 */
export function isSuperseded(
  { hosted }: Pick<SpaceRow, 'hosted'>,
  { number }: Pick<VersionRow, 'number'>,
  live: Pick<VersionRow, 'number'> | null,
): boolean {
  return hosted === 1 && live !== null && live.number > number;
}

/** The reason for a check that ended without a verdict because the space moved to a live URL. */
export const movedMeanwhile = 'The space moved to a live URL before the check ended; publish again.';

/** Returns the error for a version from before its space's move. */
export function leftBehind(remedy: string): ServiceError {
  return new ServiceError(
    'not_hosted',
    `The version was uploaded before the space moved to a live URL; ${remedy}.`,
  );
}

/** Returns why the check of a version ends without a verdict, or null. */
export function whyEnded(
  { state }: Pick<SpaceRow, 'state'>,
  { left_behind }: Pick<VersionRow, 'left_behind'>,
): string | null {
  if (isOffService({ state }))
    return `The space was ${state} before the check ended; publish again when it is back.`;
  return left_behind === 1 ? movedMeanwhile : null;
}

/** Returns why the rollback endpoint refuses this version, or null. */
export function rollbackProblem(
  { hosted }: Pick<SpaceRow, 'hosted'>,
  { live_at, left_behind, number }: Pick<VersionRow, 'live_at' | 'left_behind' | 'number'>,
): string | null {
  if (hosted === 0) return 'The space runs at its own live URL; there is nothing to roll back.';
  if (left_behind === 1) return `Version ${number} was made before the space moved to a live URL.`;
  if (live_at === null) return `Version ${number} was never live.`;
  return null;
}

/** Returns whether a person may review the version: the check refused it, or could not decide. */
export function isReviewable<Version extends Pick<VersionRow, 'status'>>(
  version: Version,
): version is Version & { readonly status: 'refused' | 'unjudged' } {
  return version.status === 'refused' || version.status === 'unjudged';
}

/**
 * Returns the error that keeps a version from a review (`not_refused`, `not_hosted` or `superseded`), or
 * null.
 */
export function reviewProblem(
  space: Pick<SpaceRow, 'hosted'>,
  version: Pick<VersionRow, 'status' | 'left_behind' | 'number' | 'finished_as_preview'>,
  live: Pick<VersionRow, 'number'> | null,
): ServiceError | null {
  if (!isReviewable(version))
    return new ServiceError(
      'not_refused',
      'Only a version that was refused or left unjudged can be reviewed.',
    );
  // Approval shows a preview again, whatever is live.
  if (version.finished_as_preview === 1) return null;
  if (version.left_behind === 1) return leftBehind('publish a new one');
  if (live && isSuperseded(space, version, live))
    return new ServiceError(
      'superseded',
      `Version ${live.number} is live and newer; publish a new version instead.`,
    );
  return null;
}

/**
 * @throws `removed`, `held`, `space_unavailable` or `not_hosted`, if an approved version could not be shown
 */
export function requireApprovable(
  space: Pick<SpaceRow, 'state' | 'slug'>,
  version: Pick<VersionRow, 'left_behind' | 'finished_as_preview'>,
): void {
  requireUnfrozen(space);
  if (isOffService(space))
    throw new ServiceError('space_unavailable', `The space is ${space.state}; restore it first, or decline.`);
  if (version.left_behind === 1 && version.finished_as_preview !== 1) throw leftBehind('decline the review');
}

/** Returns whether a link may show the version. Refused versions are never shown. */
export function isPreviewable({ status }: Pick<VersionRow, 'status'>): boolean {
  return status !== 'uploading' && status !== 'refused';
}

/**
 * Returns the actions that the list offers for a version, by the same rules as the calls that perform them.
 */
export function possibleWith(
  space: Pick<SpaceRow, 'state' | 'hosted' | 'live_version_id'>,
  version: Pick<
    VersionRow,
    'id' | 'number' | 'status' | 'live_at' | 'left_behind' | 'review_requested_at' | 'finished_as_preview'
  >,
  live: Pick<VersionRow, 'number'> | null,
): { live: boolean; rollback: boolean; reviewable: boolean } {
  const isLive = space.hosted === 1 && space.live_version_id === version.id;
  const isOpen = !isFrozen(space);
  return {
    live: isLive,
    rollback: isOpen && !isLive && rollbackProblem(space, version) === null,
    reviewable:
      isOpen && version.review_requested_at === null && reviewProblem(space, version, live) === null,
  };
}
