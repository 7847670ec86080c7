import { useEffect } from 'react';
import { client } from '../../data/client.ts';

/** A space that starts by itself counts as played after being looked at for this long. */
const lookMs = 5_000;

/** Counts a play, once: at the player's click, or when a space that starts by itself has been looked at for a moment. */
export function useCountedPlay(slug: string, isPlayed: boolean, start: 'auto' | 'click'): void {
  useEffect(() => {
    if (!isPlayed) return;
    let counted = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = () => {
      if (counted) return;
      counted = true;
      // Nobody needs to know that it failed: one play less is counted.
      client.countPlay({ params: { slug } }).catch(() => {});
    };
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = setTimeout(count, start === 'click' ? 0 : lookMs);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [slug, isPlayed, start]);
}
