import type { StageData } from '@spaceport/contract/first-data';
import { readShownVersion } from '@spaceport/contract/shown-version';
import { stageClient } from './play.ts';

const everyMs = 60_000;

/**
 * Reports each version that goes live while another one is played, once. It asks while the page is visible,
 * and when it becomes visible again. Returns a function that stops it.
 */
export function watchVersion(
  { space, version }: StageData,
  onNewer: (version: number) => void,
  eachMs = everyMs,
): () => void {
  // A page that runs elsewhere has no versions.
  if (version === null) return () => {};
  const stopping = new AbortController();
  const { signal } = stopping;
  let told = version;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async () => {
    clearTimeout(timer);
    const shown = await stageClient
      .call(readShownVersion, { query: { space } }, { signal })
      .catch(() => null);
    if (signal.aborted) return;
    // A rollback counts as another version too.
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
