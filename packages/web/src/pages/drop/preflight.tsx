import { dryRun } from '@spaceport/client/publish';
import { useViewer } from '../../app/app.tsx';
import { useLoad } from '../../data/use-load.ts';
import { formatBytes } from '../../ui/text.tsx';
import { describeFailure } from './describe-failure.ts';
import { DropFailure } from './drop-failure.tsx';
import type { Hashing } from './hashing.ts';
import type { Look } from './look-through.ts';
import { clientFor, detailsFor, type NewFields, type Target } from './target.ts';
import { keyOf } from './use-targets.ts';

interface PreflightProps {
  readonly look: Look;
  readonly target: Target;
  readonly fields: NewFields;
  readonly hashed: Hashing;
}

/** Shows, by a dry run, what publishing would send and change, or why it would be refused. */
export function Preflight(props: PreflightProps) {
  const viewer = useViewer();
  // With a session, a request with a claim token hands the page over to the account. A dry run must not do
  // that.
  const mayAsk = props.target.is !== 'claim' || viewer === null;
  return mayAsk && (viewer === null || viewer.handle !== null) ? <Asked {...props} /> : null;
}

function Asked({ look, target, fields, hashed }: PreflightProps) {
  const { value, error } = useLoad(keyOf(target), async (signal) => {
    const source = await hashed.source;
    // The dry run checks files and declarations; the title does not matter.
    const asked = { ...fields, title: fields.title.trim() || 'Untitled' };
    const answer = await dryRun(clientFor(target), {
      source,
      details: detailsFor(target, look, asked),
      signal,
    });
    return { ...answer, of: source.files.length };
  });
  if (error !== null)
    return hashed.state().error === null ? <DropFailure failure={describeFailure(error)} /> : null;
  return (
    <p className="quiet small" role="status">
      {value === null ? 'Asking which files the service already has…' : summary(value, target.is !== 'new')}
    </p>
  );
}

type DryRun = Awaited<ReturnType<typeof dryRun>> & { of: number };

function summary({ missing, diff, of }: DryRun, isThere: boolean): string {
  const sends =
    missing.files === 0
      ? 'Nothing has to be sent: the service has all files.'
      : missing.files < of
        ? `${count(missing.files, 'file')} of ${of.toLocaleString('en')} will be sent, ${formatBytes(missing.bytes)}.`
        : `All files will be sent, ${formatBytes(missing.bytes)}.`;
  if (!isThere) return sends;
  const { added, changed, removed } = diff;
  return `${added.length} added, ${changed.length} changed and ${removed.length} removed since what is shown now. ${sends}`;
}

function count(value: number, one: string): string {
  return `${value.toLocaleString('en')} ${one}${value === 1 ? '' : 's'}`;
}
