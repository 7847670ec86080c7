import { useSyncExternalStore } from 'preact/compat';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { Bytes, Num } from '../../ui/text.tsx';
import { describeFailure } from './describe-failure.ts';
import { DropFailure } from './drop-failure.tsx';
import type { Hashing } from './hashing.ts';
import { Lines } from './lines.tsx';
import type { Look, LookChoice } from './look-through.ts';

interface FolderCardProps {
  readonly look: Look;
  readonly hashed: Hashing | null;
  /** Whether something else is dragged over the page. */
  readonly isOver: boolean;
  readonly onChoose: (choice: LookChoice) => void;
  readonly onStartOver: () => void;
}

/** Shows the dropped folder: its size, the files left out, and the problems that prevent publishing. */
export function FolderCard({ look, hashed, isOver, onChoose, onStartOver }: FolderCardProps) {
  const { selection, problems } = look;
  return (
    <section className="card stack" aria-label="What was dropped">
      <div className="drop-folder">
        <span className="empty-icon">
          <Icon name="drop" />
        </span>
        <div>
          <p className="drop-name">{isOver ? 'Let go to take this instead' : selection.name}</p>
          <p className="quiet small">
            <Num value={selection.files.length} /> {selection.files.length === 1 ? 'file' : 'files'},{' '}
            <Bytes value={selection.bytes} />
            {look.entry !== 'index.html' && `, opens with ${look.entry}`}
            {hashed && <HashProgress hashed={hashed} />}
          </p>
        </div>
        <Button variant="quiet" size="small" onClick={onStartOver}>
          Choose another
        </Button>
      </div>
      {hashed && <HashFailure hashed={hashed} />}
      {problems.length > 0 && (
        <Notice tone="bad">
          <Lines lines={problems} shown={12} />
          {selection.problems.length > 0 && <p>Rename or remove them, then drop the folder again.</p>}
        </Notice>
      )}
      <Elsewhere look={look} onChoose={onChoose} />
      <LeftOut look={look} />
    </section>
  );
}

/** The progress of reading, in the line of the file count, so that nothing moves when it ends. */
function HashProgress({ hashed }: { hashed: Hashing }) {
  const { bytes, isDone } = useSyncExternalStore(hashed.subscribe, hashed.state);
  if (isDone || hashed.totalBytes === 0) return null;
  return <>, {Math.floor((100 * bytes) / hashed.totalBytes)} % read</>;
}

function HashFailure({ hashed }: { hashed: Hashing }) {
  const { error } = useSyncExternalStore(hashed.subscribe, hashed.state);
  return error === null ? null : <DropFailure failure={describeFailure(error)} />;
}

/** Other folders or pages in the drop that were probably meant. */
function Elsewhere({ look, onChoose }: Pick<FolderCardProps, 'look' | 'onChoose'>) {
  const { elsewhere, otherPages, problems, selection } = look;
  if (elsewhere.length > 0)
    return (
      <Notice
        tone={problems.length > 0 ? 'info' : 'warn'}
        actions={elsewhere.map((root) => (
          <Button key={root} size="small" variant="plain" onClick={() => onChoose({ root })}>
            Publish {root.slice(selection.root.length).replace(/\/$/u, '')} instead
          </Button>
        ))}
      >
        {problems.length > 0
          ? 'There is one further down. Was that meant?'
          : 'This looks like a project with its sources, and a finished build in it.'}
      </Notice>
    );
  if (otherPages.length === 0) return null;
  return (
    <Notice
      actions={otherPages.slice(0, 4).map((entry) => (
        <Button
          key={entry}
          size="small"
          variant="plain"
          onClick={() => onChoose({ root: selection.root, entry })}
        >
          Open with {entry}
        </Button>
      ))}
    >
      Which page opens?
    </Notice>
  );
}

function LeftOut({ look: { selection } }: Pick<FolderCardProps, 'look'>) {
  const { leftOut, root } = selection;
  // Files that everybody expects to be left out are not listed.
  const worthTelling = leftOut.filter(({ path }) => path !== `${root}service.json`);
  if (worthTelling.length === 0) return null;
  return (
    <details className="small quiet">
      <summary>
        Left out: {worthTelling.length} {worthTelling.length === 1 ? 'thing' : 'things'}
      </summary>
      <Lines lines={worthTelling.map(({ path }) => path.slice(root.length))} shown={30} />
    </details>
  );
}
