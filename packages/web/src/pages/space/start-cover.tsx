import type { PublicSpace } from '@spaceport/contract/gallery';
import { deviceLabels } from '@spaceport/contract/labels';
import { pictureOf } from '@spaceport/contract/picture-of';
import { Icon } from '../../ui/icon.tsx';

interface StartCoverProps {
  readonly space: PublicSpace;
  readonly frame: string;
  /** False if the space was made for other devices than the reader's. */
  readonly fits: boolean;
  readonly onStart: () => void;
}

/** Covers the stage until the player starts the space: its picture, and warnings. */
export function StartCover({ space, frame, fits, onStart }: StartCoverProps) {
  const { devices, hosted } = space;
  const picture = pictureOf(space);
  return (
    <button type="button" className="stage-start script-only" onClick={onStart}>
      {picture && <img src={picture.url} alt="" width={picture.width} height={picture.height} />}
      <span className="stage-offer">
        {!fits && (
          <span className="stage-unfit">
            Made for: {devices.map((device) => deviceLabels[device].toLowerCase()).join(', ')}. On this device
            it may not fit, or not be playable.
          </span>
        )}
        <span className="stage-play">
          <Icon name="play" />
          {fits ? 'Play' : 'Play anyway'}
        </span>
      </span>
      {!hosted && <span className="stage-host">Runs at {new URL(frame).host}</span>}
    </button>
  );
}
