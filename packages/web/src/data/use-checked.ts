import type { Client } from '@spaceport/client/client';
import { waitForVerdict } from '@spaceport/client/verdict';
import type { VersionRead } from '@spaceport/contract/versions';
import { useEffect, useRef } from 'preact/compat';

const pauseAfterFailureMs = 5_000;

/** Waits without a limit until a version is checked. Returns null if the signal was aborted before. */
export async function untilChecked(
  client: Client,
  id: string,
  signal: AbortSignal,
): Promise<VersionRead | null> {
  while (!signal.aborted) {
    try {
      return await waitForVerdict(client, id, { signal, previewSeconds: Number.POSITIVE_INFINITY });
    } catch {
      if (signal.aborted) return null;
      await new Promise((resolve) => setTimeout(resolve, pauseAfterFailureMs));
    }
  }
  return null;
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
