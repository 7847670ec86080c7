import type { SpaceData } from '@spaceport/contract/first-data';
import { useSyncExternalStore } from 'preact/compat';
import { useViewer } from '../../app/app.tsx';
import type { StageStore } from '../../stage/stage-state.ts';
import { Achievements } from './achievements.tsx';
import { Boards } from './boards/boards.tsx';

interface PanelsProps extends Pick<SpaceData, 'space' | 'stage'> {
  /** Read here and not by the page, so that the page draws this part again only for other data. */
  readonly store: StageStore;
  readonly onSignIn: () => void;
}

/** The boards and the achievements of a space. */
export function Panels({ space, stage, store, onSignIn }: PanelsProps) {
  const isVisitor = useViewer() === null;
  const played = useSyncExternalStore(store.subscribe, store.get, store.get);
  return (
    // One element, because Preact hydrates no more than one later than the rest.
    <div className="stack">
      {space.boards.length > 0 && (
        // Script requests each ranking when it is shown.
        <div className="script-only">
          <Boards stage={stage} boards={space.boards} played={played} onSignIn={onSignIn} />
        </div>
      )}
      {space.achievements.length > 0 && (
        <Achievements
          stage={stage}
          slug={space.slug}
          achievements={space.achievements}
          wins={played.wins}
          isGuest={played.player?.guest ?? isVisitor}
        />
      )}
    </div>
  );
}
