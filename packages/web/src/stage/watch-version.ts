import type { StageData } from '@spaceport/contract/first-data';
import { stageClient } from './play.ts';

const everyMs = 60_000;

/**
 * Tells once of each version that went live while another one is played: asked while the page is looked at, and when it is
 * come back to. Returns how to stop.
 */
export function watchVersion(
  { space, version }: StageData,
  onNewer: (version: number) => void,
  eachMs = everyMs,
): () => void {
  // What runs elsewhere has no versions.
  if (version === null) return () => {};
  const stopping = new AbortController();
  const { signal } = stopping;
  let told = version;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async () => {
    clearTimeout(timer);
    const shown = await stageClient.readShownVersion({ query: { space } }, { signal }).catch(() => null);
    if (signal.aborted) return;
    // Rolled back is another one too.
    if (shown?.version != null && shown.version !== told) {
      told = shown.version;
      if (told !== version) onNewer(told);
    }
    timer = setTimeout(lookIfSeen, eachMs);
  };
  const lookIfSeen = () => {
    if (document.visibilityState === 'visible') void look();
  };
  timer = setTimeout(lookIfSeen, eachMs);
  document.addEventListener('visibilitychange', lookIfSeen, { signal });
  addEventListener('online', lookIfSeen, { signal });
  return () => {
    clearTimeout(timer);
    stopping.abort();
  };
}
