import { ApiError, notTheServiceCode } from '@spaceport/client/api-error';
import type { Client } from '@spaceport/client/client';
import { isPassing } from '@spaceport/client/retry';
import { waitForVerdict } from '@spaceport/client/verdict';
import type { VersionRead } from '@spaceport/contract/versions';
import { useEffect, useRef } from 'preact/compat';

const pauseAfterFailureMs = 5_000;

/**
 * Waits without a limit until a version is checked. Returns null if the signal was aborted before, or nobody here
 * will read the version again: it was deleted, or the session has ended.
 */
export async function untilChecked(
  client: Client,
  id: string,
  signal: AbortSignal,
): Promise<VersionRead | null> {
  while (!signal.aborted) {
    try {
      return await waitForVerdict(client, id, { signal, previewSeconds: Number.POSITIVE_INFINITY });
    } catch (error) {
      if (signal.aborted || isFinal(error)) return null;
      await new Promise((resolve) => setTimeout(resolve, pauseAfterFailureMs));
    }
  }
  return null;
}

function isFinal(error: unknown): boolean {
  // The page of a proxy or a portal says nothing about the version.
  const isOurs = error instanceof ApiError && error.code !== notTheServiceCode;
  return isOurs && error.status < 500 && !isPassing(error);
}

/** Calls `onChecked` once a version is checked. Does nothing if `id` is null. */
export function useChecked(client: Client, id: string | null, onChecked: (read: VersionRead) => void): void {
  const latest = useRef({ client, onChecked });
  latest.current = { client, onChecked };
  useEffect(() => {
    if (id === null) return;
    const ending = new AbortController();
    void untilChecked(latest.current.client, id, ending.signal).then((read) => {
      if (read !== null) latest.current.onChecked(read);
    });
    return () => ending.abort();
  }, [id]);
}
