import { useEffect, useMemo, useState } from 'preact/compat';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/surfaces.tsx';
import type { Dropped } from './collect.ts';
import { FolderCard } from './folder-card.tsx';
import { hashing } from './hashing.ts';
import { type Look, type LookChoice, lookThrough } from './look-through.ts';
import type { OpenFolder } from './open-folder.ts';
import { PublishForm } from './publish-form.tsx';
import { PublishedView } from './published.tsx';
import { Sending } from './sending.tsx';
import { StageTitle } from './stage-title.tsx';
import { useFileDrag } from './use-file-drag.ts';
import { usePublish } from './use-publish.ts';
import { useTargets } from './use-targets.ts';

interface ChosenProps {
  readonly folder: OpenFolder;
  /** Called with what is dropped in place of the folder. */
  readonly onDropped: (dropped: () => Promise<Dropped>) => void;
  readonly onStartOver: () => void;
}

/** Shown after a drop: the folder, the target, and the progress. */
export function Chosen({ folder, onDropped, onStartOver }: ChosenProps) {
  const [choice, setChoice] = useState<LookChoice>({});
  const [look, setLook] = useState<Look | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    let isLatest = true;
    lookThrough(folder, choice).then(
      (found) => isLatest && setLook(found),
      (failure: unknown) => isLatest && setError(failure),
    );
    return () => {
      isLatest = false;
    };
  }, [folder, choice]);
  if (error !== null) return <ErrorState error={error} retry={onStartOver} />;
  if (look === null) return <Skeleton height={20} />;
  // Another choice of folder or entry is another publish.
  const key = `${look.selection.root}?${look.entry}`;
  return <Looked key={key} {...{ folder, look, onDropped, onStartOver }} onChoose={setChoice} />;
}

function Looked({
  folder,
  look,
  onChoose,
  onDropped,
  onStartOver,
}: ChosenProps & { look: Look; onChoose: (choice: LookChoice) => void }) {
  const mayPublish = look.problems.length === 0;
  // Hashing begins at once, so that most of it is done when the form is filled in.
  const hashed = useMemo(
    () => (mayPublish ? hashing(folder, look.selection) : null),
    [folder, look, mayPublish],
  );
  // Here, so that a publish that fails finds the form as it was.
  const targets = useTargets();
  const { state, start, stop, resume } = usePublish(() => {
    if (!hashed) throw new Error('There is nothing that can be published.');
    return hashed.source;
  });
  const isOver = useFileDrag(state.is === 'running' ? null : onDropped);
  if (state.is === 'published')
    return <PublishedView published={state.published} onStartOver={onStartOver} />;
  if ((state.is === 'running' || state.is === 'stopped') && hashed)
    return (
      <Sending
        name={look.selection.name}
        state={state}
        hashed={hashed}
        onStop={stop}
        onResume={resume}
        onStartOver={onStartOver}
      />
    );
  return (
    <div className="stack">
      <StageTitle>{mayPublish ? 'Ready to publish' : 'This needs a change first'}</StageTitle>
      <FolderCard look={look} hashed={hashed} isOver={isOver} onChoose={onChoose} onStartOver={onStartOver} />
      {hashed && state.is === 'idle' && (
        <PublishForm
          look={look}
          hashed={hashed}
          targets={targets}
          failure={state.failure}
          refused={state.refused}
          onPublish={start}
        />
      )}
    </div>
  );
}
