import type { VersionFiles } from '@spaceport/contract/versions';
import { useState } from 'preact/compat';
import { Button } from '../ui/button.tsx';
import { Table } from '../ui/table.tsx';
import { Bytes, Num } from '../ui/text.tsx';
import './report.css';

type Change = 'added' | 'changed' | 'removed' | null;
interface Row {
  readonly path: string;
  readonly size: number | null;
  readonly change: Change;
}

const words: Readonly<Record<'added' | 'changed' | 'removed', string>> = {
  added: 'Added',
  changed: 'Changed',
  removed: 'Removed',
};
const shownAtFirst = 12;

/** The files of a version, the changed ones first. */
export function Changes({ files: { files, diff } }: { files: VersionFiles }) {
  const [isWhole, setWhole] = useState(false);
  const rows = toRows({ files, diff });
  const changes = rows.filter(({ change }) => change !== null).length;
  const atFirst = Math.max(shownAtFirst, Math.min(changes, 3 * shownAtFirst));
  const shown = isWhole ? rows : rows.slice(0, atFirst);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <>
      <p className="small quiet">
        <Num value={files.length} /> {files.length === 1 ? 'file' : 'files'}, <Bytes value={total} />.{' '}
        {diff.against === null ? (
          'The first version.'
        ) : changes === 0 ? (
          `The same as version ${diff.against}.`
        ) : (
          <>
            Since version {diff.against}: {diff.added.length} added, {diff.changed.length} changed,{' '}
            {diff.removed.length} removed, <Num value={diff.unchanged} /> as before.
          </>
        )}
      </p>
      <Table<Row>
        label="Files"
        rows={shown}
        keyOf={({ path, change }) => `${change} ${path}`}
        columns={[
          {
            title: 'File',
            cell: ({ path, change }) => (
              <code className={change === 'removed' ? 'file-removed' : 'file'}>{path}</code>
            ),
          },
          {
            title: 'Change',
            cell: ({ change }) =>
              change !== null && diff.against !== null ? (
                <span className={`change change--${change}`}>{words[change]}</span>
              ) : null,
          },
          { title: 'Size', number: true, cell: ({ size }) => (size === null ? '–' : <Bytes value={size} />) },
        ]}
      />
      {shown.length < rows.length && (
        <div>
          <Button size="small" variant="plain" onClick={() => setWhole(true)}>
            Show all {rows.length.toLocaleString('en')} files
          </Button>
        </div>
      )}
    </>
  );
}

/** Returns the rows: changed files first, then the largest. */
function toRows({ files, diff }: Pick<VersionFiles, 'files' | 'diff'>): Row[] {
  const added = new Set(diff.added);
  const changed = new Set(diff.changed);
  const rows = files.map(({ path, size }): Row => {
    const change = changed.has(path) ? 'changed' : added.has(path) ? 'added' : null;
    return { path, size, change: diff.against === null ? null : change };
  });
  const removed = diff.removed.map((path): Row => ({ path, size: null, change: 'removed' }));
  const order = (row: Row) => (row.change === null ? 1 : 0);
  return [...rows, ...removed].sort(
    (a, b) => order(a) - order(b) || (b.size ?? -1) - (a.size ?? -1) || a.path.localeCompare(b.path),
  );
}
