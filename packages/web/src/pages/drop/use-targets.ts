import type { Client } from '@spaceport/client/client';
import { useState } from 'react';
import { useViewer } from '../../app/app.tsx';
import { client } from '../../data/client.ts';
import { keptClaims } from '../../data/kept-claims.ts';
import { type Loaded, useLoad } from '../../data/use-load.ts';
import type { Target } from './target.ts';

/** How many spaces the list offers. Whoever has more names the space in service.json. */
const maxOffered = 300;

/** Where a publish can go: the account's spaces, pages of this browser, a new one. */
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
  let cursor: string | undefined;
  do {
    const { spaces, next } = await from.mySpaces(
      { query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } },
      { signal },
    );
    for (const { slug, title, hosted, state } of spaces)
      if (hosted && state !== 'removed' && state !== 'held') found.push({ is: 'space', slug, title });
    cursor = next ?? undefined;
  } while (cursor !== undefined && found.length < maxOffered);
  return found;
}

/** A value for a list to choose from. */
export function keyOf(target: Target): string {
  if (target.is === 'new') return 'new';
  return target.is === 'space' ? `space:${target.slug}` : `claim:${target.claim.slug}`;
}

/** What a folder most probably belongs to: the space its service.json names, the page it was dropped onto before. */
export function likelyTarget(
  targets: readonly Target[],
  { space, folder }: { space: string | null; folder: string },
): Target {
  const named = targets.find((target) => target.is === 'space' && target.slug === space);
  const before = targets.find((target) => target.is === 'claim' && target.claim.folder === folder);
  return named ?? before ?? { is: 'new' };
}
