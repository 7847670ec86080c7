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
  /** Where it may start before script has looked where the reader sits: the seats it was made for. */
  readonly seats?: readonly Seat[];
}

/** The space itself, on an origin of its own: nothing of ours is in its reach. Its picture stands in until it is there. */
export function Frame({ address, title, poster, seats }: FrameProps) {
  // The document's own frame stays as it is: it may run already, and who hears its `load` now may be too late.
  const isHydrated = useHydrated();
  const [isDrawn] = useState(!isHydrated);
  const [isLoaded, setLoaded] = useState(isDrawn);
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => (frame.current ? keepKeysIn(frame.current) : undefined), []);
  return (
    <>
      {poster !== null && !isLoaded && <img className="frame-poster" src={poster} alt="" />}
      <iframe
        ref={frame}
        className={classNames('frame', !isLoaded && 'frame--loading')}
        title={title}
        src={address}
        sandbox={sandbox}
        allow={allowed}
        // Lazy is what a browser never asks for while it is not displayed (frame.css).
        loading={isDrawn ? 'lazy' : undefined}
        data-seats={isDrawn ? seats?.join(' ') : undefined}
        onLoad={() => setLoaded(true)}
      />
    </>
  );
}

/** The same frame where no script runs that could start it. */
export function FrameWithoutScript({ address, title }: Pick<FrameProps, 'address' | 'title'>) {
  return (
    <noscript>
      <iframe className="frame" title={title} src={address} sandbox={sandbox} allow={allowed} />
    </noscript>
  );
}
