import { countPlay } from '@spaceport/contract/plays';
import { useEffect } from 'preact/compat';
import { caller } from '../../data/caller.ts';

/** A space that starts automatically counts as played after it was visible for this long. */
const lookMs = 5_000;

/**
 * Counts a play once: at the player's click, or after a space that starts automatically was visible for a
 * moment.
 */
export function useCountedPlay(slug: string, isPlayed: boolean, start: 'auto' | 'click'): void {
  useEffect(() => {
    if (!isPlayed) return;
    let counted = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = () => {
      if (counted) return;
      counted = true;
      // Errors are ignored: one play less is counted.
      caller.call(countPlay, { params: { slug } }).catch(() => {});
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
