import { seatsFor } from '@spaceport/contract/fits';
import type { PublicSpace } from '@spaceport/contract/gallery';
import { pictureOf } from '@spaceport/contract/picture-of';
import { useEffect, useRef, useState } from 'preact/compat';
import { rereadDocument } from '../../app/reread.ts';
import type { StageControls } from '../../stage/use-stage.ts';
import { Button, IconButton, LinkButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Frame, FrameWithoutScript } from '../../ui/frame.tsx';
import { giveKeys, playOn } from '../../ui/game-keys.ts';
import { tintOf } from '../../ui/tint.ts';
import { showOffer } from '../../ui/toast.tsx';
import { fillScreen } from './fill-screen.ts';
import { StageSigns } from './stage-signs.tsx';
import { StartCover } from './start-cover.tsx';
import { useCountedPlay } from './use-counted-play.ts';
import { useFits } from './use-fits.ts';
import { useSize } from './use-size.tsx';
import './stage.css';

export interface StageProps {
  readonly space: PublicSpace;
  readonly frame: string;
  readonly start: 'auto' | 'click';
  /** Whether a play counts: not for the viewer's own space, and not for a preview. */
  readonly counts: boolean;
  readonly controls: StageControls;
  readonly onShare: () => void;
}

/** The stage of a space: its picture until it is started, then its frame, and the player's controls. */
export function Stage({ space, frame, start, counts, controls, onShare }: StageProps) {
  const seats = seatsFor(space.devices);
  const fits = useFits(seats);
  const [isPressed, setPressed] = useState(false);
  const isStarted = isPressed || (start === 'auto' && fits);
  useCountedPlay(space.slug, isStarted && counts, fits ? start : 'click');
  // A new key makes a new frame, which restarts the space.
  const [run, setRun] = useState(0);
  const [isFilling, setFilling] = useState(false);
  const [size, sizeChoice] = useSize(space.devices);
  const stage = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const left = () => {
      if (document.fullscreenElement === null) setFilling(false);
    };
    document.addEventListener('fullscreenchange', left);
    return () => document.removeEventListener('fullscreenchange', left);
  }, []);
  const toggle = () => {
    if (isFilling) {
      setFilling(false);
      if (document.fullscreenElement) void document.exitFullscreen();
    } else {
      setFilling(true);
      void fillScreen(stage.current);
    }
    playOn();
  };
  const { isConnected, isMuted, newerVersion, room, invitation } = controls.state;
  // A frame whose module has connected has its process, which takes the focus.
  useEffect(() => {
    if (isConnected) giveKeys();
  }, [isConnected]);
  const restart = () => {
    playOn();
    setRun((before) => before + 1);
  };
  const latestRestart = useRef(restart);
  latestRestart.current = restart;
  // Several versions may go live while one is played, and the last one is what is loaded.
  const takeOfferAway = useRef<(() => void) | null>(null);
  useEffect(() => {
    if (newerVersion === null) return;
    const offer = (text: string, label: string) => {
      takeOfferAway.current?.();
      takeOfferAway.current = showOffer(text, { label, run: load }, { stays: true });
    };
    // The page is read again first, because it names the version in the frame.
    const load = () =>
      void rereadDocument().then(
        () => latestRestart.current(),
        () => offer(`Version ${newerVersion} could not be loaded.`, 'Try again'),
      );
    offer(`Version ${newerVersion} is there.`, 'Load it');
  }, [newerVersion]);
  const { reloads } = controls.state;
  useEffect(() => {
    if (reloads > 0) setRun((before) => before + 1);
  }, [reloads]);
  const picture = pictureOf(space);
  return (
    <section className="space-stage" aria-label={`${space.title}, running`}>
      <div
        ref={stage}
        className={classNames('stage', `stage--${size}`, isFilling && 'stage--filling', tintOf(space.slug))}
      >
        {isStarted ? (
          <Frame
            key={run}
            address={frame}
            title={space.title}
            poster={picture?.url ?? null}
            // Its module sees to it (sdk/src/leave-by-keys.ts).
            description={isConnected ? 'Escape and then Tab leaves it.' : undefined}
            seats={seats}
            name={controls.frameName}
            keeps={controls.keeps}
            onThere={controls.host}
          />
        ) : (
          <>
            <StartCover space={space} frame={frame} fits={fits} onStart={() => setPressed(true)} />
            <FrameWithoutScript address={frame} title={space.title} />
          </>
        )}
        {isStarted && <StageSigns title={space.title} state={controls.state} />}
        {isFilling && (
          <IconButton className="stage-leave" icon="close" label="Leave full screen" onClick={toggle} />
        )}
      </div>
      <div className="stage-bar">
        {sizeChoice}
        <div className="row stage-buttons">
          {/* Its place is kept while it is hidden, so that nothing moves when the space connects. */}
          <IconButton
            className={classNames('stage-mute', !isConnected && 'stage-mute--unheard')}
            icon={isMuted ? 'muted' : 'sound'}
            label="Mute"
            aria-pressed={isMuted}
            disabled={!isConnected}
            onClick={() => {
              controls.setMuted(!isMuted);
              playOn();
            }}
          />
          <Button variant="quiet" size="small" icon="restart" disabled={!isStarted} onClick={restart}>
            Restart
          </Button>
          <Button variant="quiet" size="small" icon="fullscreen" disabled={!isStarted} onClick={toggle}>
            Full screen
          </Button>
          <Button variant="quiet" size="small" icon="share" onClick={onShare}>
            <span className="stage-label">{room === null && invitation === null ? 'Share' : 'Invite'}</span>
          </Button>
          <LinkButton
            variant="quiet"
            size="small"
            icon="external"
            href={frame}
            target="_blank"
            rel="noopener"
          >
            <span className="stage-label">Own tab</span>
          </LinkButton>
        </div>
      </div>
    </section>
  );
}
