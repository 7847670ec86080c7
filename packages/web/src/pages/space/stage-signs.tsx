import type { StageState } from '../../stage/stage-state.ts';

export interface StageSignsProps {
  readonly title: string;
  readonly state: Pick<StageState, 'loaded' | 'celebrations'>;
}

/** What the space asks to be shown around it: how much of it is loaded, and that something was won. The game stays in sight. */
export function StageSigns({ title, state: { loaded, celebrations } }: StageSignsProps) {
  return (
    <>
      {loaded !== null && (
        <progress className="stage-loading" value={loaded} aria-label={`Loading ${title}`} />
      )}
      {/* A new key is a new one: that is how it begins again. */}
      {celebrations > 0 && <div key={celebrations} className="stage-celebration" aria-hidden="true" />}
    </>
  );
}
