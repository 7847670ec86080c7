import type { Client } from '@spaceport/client/client';
import { isFrozen } from '@spaceport/contract/frozen';
import { useState } from 'preact/compat';
import { useViewer } from '../../app/app.tsx';
import { client } from '../../data/client.ts';
import { keptClaims } from '../../data/kept-claims.ts';
import { type Loaded, useLoad } from '../../data/use-load.ts';
import type { Target } from './target.ts';

/** Most spaces in the list. An account with more names the space in service.json. */
const maxOffered = 300;

/** Returns the slug of the space from whose versions somebody came here, or null. */
function spaceInAddress(): string | null {
  return new URLSearchParams(location.search).get('space');
}

/**
 * The possible targets of a publish: the account's spaces, this browser's pages, a new space. A space that runs
 * elsewhere is among them if somebody came from it, because publishing to it brings it here.
 */
export function useTargets(): Loaded<readonly Target[]> {
  const viewer = useViewer();
  const [claims] = useState(() => keptClaims());
  const kept = claims.map((claim): Target => ({ is: 'claim', claim }));
  const now: readonly Target[] = [{ is: 'new' }, ...kept];
  return useLoad(
    'targets',
    async (signal) => [{ is: 'new' }, ...(await ownSpaces(client, signal)), ...kept],
    viewer ? null : now,
  );
}

async function ownSpaces(from: Client, signal: AbortSignal): Promise<Target[]> {
  const found: Target[] = [];
  const asked = spaceInAddress();
  let cursor: string | undefined;
  do {
    const { spaces, next } = await from.mySpaces(
      { query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } },
      { signal },
    );
    for (const space of spaces)
      if ((space.hosted || space.slug === asked) && !isFrozen(space))
        found.push({ is: 'space', slug: space.slug, title: space.title });
    cursor = next ?? undefined;
  } while (cursor !== undefined && found.length < maxOffered);
  return found;
}

/** Returns the value of a target in a select. */
export function keyOf(target: Target): string {
  if (target.is === 'new') return 'new';
  return target.is === 'space' ? `space:${target.slug}` : `claim:${target.claim.slug}`;
}

/**
 * Returns the most likely target: the space that somebody came from, the one in service.json, or the page to which
 * the folder was published before.
 */
export function likelyTarget(
  targets: readonly Target[],
  { space, folder }: { space: string | null; folder: string },
): Target {
  const spaceOf = (slug: string | null) =>
    targets.find((target) => target.is === 'space' && target.slug === slug);
  const named = spaceOf(spaceInAddress()) ?? spaceOf(space);
  const before = targets.find((target) => target.is === 'claim' && target.claim.folder === folder);
  return named ?? before ?? { is: 'new' };
}
