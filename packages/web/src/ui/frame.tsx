import type { Seat } from '@spaceport/contract/fits';
import { useEffect, useRef, useState } from 'react';
import { useHydrated } from '../app/use-hydrated.ts';
import { classNames } from './class-names.ts';
import './frame.css';
import { keepKeysIn } from './game-keys.ts';

/** What the frame may do and use (contract §8). */
const sandbox = 'allow-scripts allow-same-origin allow-forms allow-modals allow-pointer-lock allow-downloads';
const allowed = 'fullscreen; gamepad; autoplay; xr-spatial-tracking; screen-wake-lock; cross-origin-isolated';

export interface FrameProps {
  readonly address: string;
  readonly title: string;
  readonly poster: string | null;
  /** What its window is called, read by what loads in it: where the document has the frame, the same on both sides. */
  readonly name?: ((isDrawn: boolean) => string) | undefined;
  /** It is there: what goes on around it begins. One that waits begins with `release`. Returns how that ends. */
  readonly onThere?: ((frame: HTMLIFrameElement, release: () => void) => () => void) | undefined;
  /**
   * Under what its storage is kept: it waits until it has been given that. In the document it waits where something is kept
   * (early.ts), and where `isAsked`: somebody is signed in, whose storage may have changed elsewhere.
   */
  readonly keeps?: { readonly id: string; readonly isAsked: boolean } | null | undefined;
  /** The devices the space was made for: it may start there before script has found out the reader's device. */
  readonly seats?: readonly Seat[];
}

/** The space itself, on an origin of its own: nothing of ours is in its reach. Its picture stands in until it is there. */
export function Frame({ address, title, poster, seats, name, onThere, keeps }: FrameProps) {
  // The frame of the document is kept: the game may run in it already, and its `load` may be over.
  const isHydrated = useHydrated();
  const [isDrawn] = useState(!isHydrated);
  const [isLoaded, setLoaded] = useState(isDrawn);
  // Read by what loads in it, once: later ones are for later frames.
  const [windowName] = useState(() => name?.(isDrawn));
  // The page may be told of another version's address while a game runs in the frame.
  const [opened] = useState(address);
  const [held, setHeld] = useState(keeps ?? null);
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => (frame.current ? keepKeysIn(frame.current) : undefined), []);
  const latest = useRef(onThere);
  latest.current = onThere;
  useEffect(() => (frame.current ? latest.current?.(frame.current, () => setHeld(null)) : undefined), []);
  return (
    <>
      {poster !== null && !isLoaded && <img className="frame-poster" src={poster} alt="" />}
      <iframe
        ref={frame}
        className={classNames('frame', !isLoaded && 'frame--loading')}
        title={title}
        name={windowName}
        src={opened}
        sandbox={sandbox}
        allow={allowed}
        // A lazy frame is not loaded while it is not displayed (frame.css).
        loading={isDrawn || keeps ? 'lazy' : undefined}
        data-keeps={held?.id}
        data-held={held && (held.isAsked || !isDrawn) ? '' : undefined}
        data-seats={isDrawn ? seats?.join(' ') : undefined}
        onLoad={() => setLoaded(true)}
      />
    </>
  );
}

/** The same frame without script, which starts by itself. */
export function FrameWithoutScript({ address, title }: Pick<FrameProps, 'address' | 'title'>) {
  return (
    <noscript>
      <iframe className="frame" title={title} src={address} sandbox={sandbox} allow={allowed} />
    </noscript>
  );
}
