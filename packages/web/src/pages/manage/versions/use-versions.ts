import type { VersionListEntry } from '@spaceport/contract/hosting';
import { useEffect } from 'react';
import { client } from '../../../data/client.ts';
import { type Loaded, useLoad } from '../../../data/use-load.ts';
import { useOwnSpace } from '../own-space.tsx';

/** Seconds that one status read waits for news. */
const waitSeconds = 30;
const pauseAfterFailureMs = 5_000;

/**
 * The versions of the space, newest first. Those that wait for the safety check are watched: when one has its verdict the
 * list, and what it changed about the space, are read anew. So they are when the reader comes back to the page.
 */
export function useVersions(slug: string): Loaded<readonly VersionListEntry[]> {
  const { reload: reloadSpace } = useOwnSpace();
  const versions = useLoad<readonly VersionListEntry[]>(slug, async (signal) => {
    const answer = await client.listVersions({ params: { slug } }, { signal });
    return answer.versions;
  });
  const { reload } = versions;
  const pending = (versions.value ?? [])
    .filter(isPending)
    .map(({ id }) => id)
    .join(' ');

  useEffect(() => {
    const ending = new AbortController();
    for (const id of pending.split(' ').filter((each) => each !== ''))
      void watch(id, ending.signal).then((isOver) => {
        if (!isOver) return;
        reload();
        void reloadSpace().catch(() => {
          // The list says what there is to say; the head is right again at the next read.
        });
      });
    return () => ending.abort();
  }, [pending, reload, reloadSpace]);

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

/** Waits until a version has its verdict; false where the reader went away first. */
async function watch(id: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    try {
      const { status, stopped } = await client.readVersion(
        { params: { id }, query: { wait: waitSeconds } },
        { signal },
      );
      if (status !== 'checking' || stopped) return true;
    } catch {
      if (signal.aborted) return false;
      await new Promise((resolve) => setTimeout(resolve, pauseAfterFailureMs));
    }
  }
  return false;
}
