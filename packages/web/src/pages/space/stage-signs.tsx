import type { StageState } from '../../stage/stage-state.ts';

export interface StageSignsProps {
  readonly title: string;
  readonly state: Pick<StageState, 'loaded' | 'celebrations'>;
}

/**
 * Signs around the frame that the space asks for: loading progress and celebrations. They do not cover the
 * game.
 */
export function StageSigns({ title, state: { loaded, celebrations } }: StageSignsProps) {
  return (
    <>
      {loaded !== null && (
        <progress className="stage-loading" value={loaded} aria-label={`Loading ${title}`} />
      )}
      {/* A new key restarts the animation. */}
      {celebrations > 0 && <div key={celebrations} className="stage-celebration" aria-hidden="true" />}
    </>
  );
}
