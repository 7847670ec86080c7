import type { Seat } from '@spaceport/contract/fits';
import { gameFrame } from '@spaceport/contract/game-frame';
import { useEffect, useRef, useState } from 'preact/compat';
import { useHydrated } from '../app/use-hydrated.ts';
import { classNames } from './class-names.ts';
import './frame.css';
import { keepKeysIn } from './game-keys.ts';

const { sandbox, allow } = gameFrame;

export interface FrameProps {
  readonly address: string;
  readonly title: string;
  readonly poster: string | null;
  /** What a screen reader adds to the title. */
  readonly description?: string | undefined;
  /**
   * Returns the window's name, which the module reads. For a frame in the document it is the same on server
   * and browser.
   */
  readonly name?: ((isDrawn: boolean) => string) | undefined;
  /** Called when the frame exists. `release` lets a waiting frame load. Returns a clean-up function. */
  readonly onThere?: ((frame: HTMLIFrameElement, release: () => void) => () => void) | undefined;
  /**
   * The key of its kept storage, for which the frame waits. A frame in the document waits if something is
   * kept (early.ts), or if `isAsked`: the signed-in account's storage may have changed elsewhere.
   */
  readonly keeps?: { readonly id: string; readonly isAsked: boolean } | null | undefined;
  /** Devices on which the frame may load before script has found out the reader's device. */
  readonly seats?: readonly Seat[];
}

/**
 * The space in its frame, on a separate origin that cannot reach our page. Its picture is shown until it
 * loads.
 */
export function Frame({ address, title, poster, description, seats, name, onThere, keeps }: FrameProps) {
  // A frame in the document is kept: the game may already run in it, and its `load` event may be over.
  const isHydrated = useHydrated();
  const [isDrawn] = useState(!isHydrated);
  const [isLoaded, setLoaded] = useState(isDrawn);
  // The name is read once, when the frame loads, so later names are for later frames.
  const [windowName] = useState(() => name?.(isDrawn));
  // The address may change to another version's while a game runs in the frame.
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
        aria-description={description}
        name={windowName}
        src={opened}
        sandbox={sandbox}
        allow={allow}
        // A lazy frame does not load while it is not displayed (frame.css).
        loading={isDrawn || keeps ? 'lazy' : undefined}
        data-keeps={held?.id}
        data-held={held && (held.isAsked || !isDrawn) ? '' : undefined}
        data-seats={isDrawn ? seats?.join(' ') : undefined}
        onLoad={() => setLoaded(true)}
      />
      {isDrawn && <div className="frame-veil" aria-hidden="true" />}
    </>
  );
}

/** The same frame without script, which loads automatically. */
export function FrameWithoutScript({ address, title }: Pick<FrameProps, 'address' | 'title'>) {
  return (
    <noscript>
      <iframe className="frame" title={title} src={address} sandbox={sandbox} allow={allow} />
    </noscript>
  );
}
