import { useState } from 'react';
import { classNames } from './class-names.ts';
import './frame.css';

/** What the frame may do and use (contract §8). The server's page without script makes the same frame. */
const sandbox = 'allow-scripts allow-same-origin allow-forms allow-modals allow-pointer-lock allow-downloads';
const allowed = 'fullscreen; gamepad; autoplay; xr-spatial-tracking; screen-wake-lock; cross-origin-isolated';

/** The space itself, on an origin of its own: nothing of ours is in its reach. Its picture stands in until it is there. */
export function Frame({ address, title, poster }: { address: string; title: string; poster: string | null }) {
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
          // Keys are the game's at once, unless the player is somewhere else already.
          if (document.activeElement === document.body) currentTarget.focus({ preventScroll: true });
        }}
      />
    </>
  );
}
