import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { hasEarlyFrame, takeEarlyFrame } from '../app/early-frame.ts';
import { classNames } from './class-names.ts';
import './frame.css';
import { keepKeysIn } from './game-keys.ts';

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
        onLoad={() => setLoaded(true)}
      />
    </>
  );
}

/** The one that the document began with, moved here as it runs. */
function RunningFrame({ address }: { address: string }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const frame = takeEarlyFrame(address);
    if (!frame) return undefined;
    place.current?.moveBefore(frame, null);
    return keepKeysIn(frame);
  }, [address]);
  return <div ref={place} className="frame-place" />;
}
