import type { VersionFiles, VersionListEntry, VersionRead } from '@spaceport/contract/versions';
import { useEffect } from 'react';
import { client } from '../../../data/client.ts';
import { untilChecked } from '../../../data/use-checked.ts';
import { type Loaded, useLoad } from '../../../data/use-load.ts';
import { useOwnSpace } from '../own-space.tsx';
import { type Standing, standingOf } from './version-state.tsx';

export interface VersionDetailsRead {
  readonly read: VersionRead;
  readonly files: VersionFiles;
}

export interface VersionList {
  readonly versions: readonly VersionListEntry[];
  /** Of the newest where it opens by itself: brought along, so that nothing jumps when it is there. */
  readonly details: VersionDetailsRead | null;
}

/** Standings of a newest version that somebody has to act on, or wait for. */
export const openByItself: ReadonlySet<Standing> = new Set<Standing>([
  'refused',
  'unjudged',
  'stopped',
  'checking',
]);

/** All that is shown of one version. */
export async function readDetails(id: string, signal: AbortSignal): Promise<VersionDetailsRead> {
  const [read, files] = await Promise.all([
    client.readVersion({ params: { id } }, { signal }),
    client.readVersionFiles({ params: { id } }, { signal }),
  ]);
  return { read, files };
}

/**
 * The versions of the space, newest first. Those that wait for the safety check are watched: when one has its verdict the
 * list, and what it changed about the space, are read anew. So they are when the reader comes back to the page.
 */
export function useVersions(slug: string): Loaded<VersionList> {
  const { space, reload: reloadSpace } = useOwnSpace();
  const versions = useLoad<VersionList>(slug, async (signal) => {
    const { versions } = await client.listVersions({ params: { slug } }, { signal });
    const [newest] = versions;
    const opens = newest !== undefined && openByItself.has(standingOf(newest));
    return { versions, details: opens ? await readDetails(newest.id, signal) : null };
  });
  const { reload } = versions;
  const live = versions.value?.versions.find((version) => version.live)?.number;
  const pending = (versions.value?.versions ?? [])
    .filter(isPending)
    .map(({ id }) => id)
    .join(' ');

  useEffect(() => {
    const ending = new AbortController();
    for (const id of pending.split(' ').filter((each) => each !== ''))
      void untilChecked(client, id, ending.signal).then((read) => {
        if (read === null) return;
        reload();
        void reloadSpace().catch(() => {
          // The list is right already; the head follows at the next read.
        });
      });
    return () => ending.abort();
  }, [pending, reload, reloadSpace]);

  // The verdict may be there before the watch begins.
  useEffect(() => {
    if (live !== undefined && live !== space.live_version) void reloadSpace().catch(() => {});
  }, [live, space.live_version, reloadSpace]);

  useEffect(() => {
    const onVisible = () => {
      if (document.visibilityState === 'visible') reload();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [reload]);
  return versions;
}

function isPending({ status, reason }: VersionListEntry): boolean {
  // A check that was stopped says why, and has no verdict to wait for.
  return status === 'checking' && reason === undefined;
}
