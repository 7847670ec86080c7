import { useLayoutEffect, useRef, useState } from 'react';
import { hasEarlyFrame, takeEarlyFrame } from '../app/early-frame.ts';
import { classNames } from './class-names.ts';
import './frame.css';

/** What the frame may do and use (contract §8). The server's page without script makes the same frame. */
const sandbox = 'allow-scripts allow-same-origin allow-forms allow-modals allow-pointer-lock allow-downloads';
const allowed = 'fullscreen; gamepad; autoplay; xr-spatial-tracking; screen-wake-lock; cross-origin-isolated';

export interface FrameProps {
  readonly address: string;
  readonly title: string;
  readonly poster: string | null;
}

/** The space itself, on an origin of its own: nothing of ours is in its reach. Its picture stands in until it is there. */
export function Frame(props: FrameProps) {
  // Asked once: by the second time it is taken.
  const [isRunning] = useState(() => hasEarlyFrame(props.address));
  return isRunning ? <RunningFrame address={props.address} /> : <NewFrame {...props} />;
}

function NewFrame({ address, title, poster }: FrameProps) {
  const [isLoaded, setLoaded] = useState(false);
  return (
    <>
      {poster !== null && !isLoaded && <img className="frame-poster" src={poster} alt="" />}
      <iframe
        className={classNames('frame', !isLoaded && 'frame--loading')}
        title={title}
        src={address}
        sandbox={sandbox}
        allow={allowed}
        onLoad={({ currentTarget }) => {
          setLoaded(true);
          focusIfFree(currentTarget);
        }}
      />
    </>
  );
}

/** The one that the document began with, moved here as it runs. */
function RunningFrame({ address }: { address: string }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const frame = takeEarlyFrame(address);
    if (!frame) return;
    place.current?.moveBefore(frame, null);
    focusIfFree(frame);
  }, [address]);
  return <div ref={place} className="frame-place" />;
}

/** Keys are the game's at once, unless the player is somewhere else already. */
function focusIfFree(frame: HTMLIFrameElement): void {
  if (document.activeElement === document.body) frame.focus({ preventScroll: true });
}
