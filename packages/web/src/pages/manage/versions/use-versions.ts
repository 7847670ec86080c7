import type { VersionFiles, VersionListEntry, VersionRead } from '@spaceport/contract/versions';
import { useEffect } from 'preact/compat';
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
  /**
   * Details of the newest version if it opens automatically. They are loaded with the list, so that nothing
   * jumps.
   */
  readonly details: VersionDetailsRead | null;
}

/** States of a newest version on which the creator has to act or wait. */
const awaited: ReadonlySet<Standing> = new Set<Standing>(['refused', 'unjudged', 'stopped', 'checking']);

/**
 * Returns the newest version if it opens automatically: the creator has to act or wait, or nothing is live
 * yet. Else null.
 */
export function openByItself(versions: readonly VersionListEntry[]): VersionListEntry | null {
  const [newest] = versions;
  if (newest === undefined || newest.status === 'uploading') return null;
  const isNoneLive = versions.every(({ live }) => !live);
  return isNoneLive || awaited.has(standingOf(newest)) ? newest : null;
}

/** Reads the details of a version. */
export async function readDetails(id: string, signal: AbortSignal): Promise<VersionDetailsRead> {
  const [read, files] = await Promise.all([
    client.readVersion({ params: { id } }, { signal }),
    client.readVersionFiles({ params: { id } }, { signal }),
  ]);
  return { read, files };
}

/**
 * The versions of the space, newest first. Versions that wait for the safety check are watched: after a
 * verdict the list and the space are read again. They are also read again when the reader comes back to the
 * page.
 */
export function useVersions(slug: string): Loaded<VersionList> {
  const { space, reload: reloadSpace } = useOwnSpace();
  const versions = useLoad<VersionList>(slug, async (signal) => {
    const { versions } = await client.listVersions({ params: { slug } }, { signal });
    const opened = openByItself(versions);
    return { versions, details: opened === null ? null : await readDetails(opened.id, signal) };
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
          // Errors are ignored: the list is up to date, and the head will be at the next read.
        });
      });
    return () => ending.abort();
  }, [pending, reload, reloadSpace]);

  // The verdict may come before the watch begins.
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
  // A stopped check has a reason, and no verdict will come.
  return status === 'checking' && reason === undefined;
}
