import type { CheckReport, VersionRead } from '@spaceport/contract/versions';
import { isFine, Report } from '../../report/check-report.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card, Notice } from '../../ui/surfaces.tsx';

/** Shows the outcome of a preview's safety check in a few words; nothing until the check has run. */
export function PreviewVerdict({ read }: { read: VersionRead | null }) {
  return <div className="drop-verdict">{verdictOf(read)}</div>;
}

function verdictOf(read: VersionRead | null) {
  const report = read?.report;
  if (read === null || report === undefined)
    return (
      <p className="row quiet" role="status">
        <span className="spinner" aria-hidden="true" />
        The safety check looks at its files and opens it in a browser…
      </p>
    );
  if (read.status === 'refused')
    return (
      <Notice tone="bad">
        <strong>The safety check refused it: nobody can see it.</strong> Fix what it names, and drop the
        folder again.
      </Notice>
    );
  const trouble = troubleOf(report);
  if (trouble !== null)
    return (
      <Notice tone="warn">
        <strong>{trouble}</strong> Its report is below.
      </Notice>
    );
  return (
    <p className="row" role="status">
      <span className="good-mark">
        <Icon name="check" />
      </span>
      {report.page ? 'The safety check opened it: nothing to fix.' : 'The safety check found nothing to fix.'}
    </p>
  );
}

/** Shows all findings of the check, if there are any. */
export function PreviewReport({ read }: { read: VersionRead | null }) {
  if (!read?.report || troubleOf(read.report) === null) return null;
  return (
    <Card>
      <Report report={read.report} number={read.number} />
    </Card>
  );
}

/** Returns the worst problem of a report; null if there is none. */
function troubleOf({ findings, page }: CheckReport): string | null {
  if (page && !page.loaded) return 'It did not load when the safety check opened it.';
  if (page?.blank) return 'It stayed blank when the safety check opened it.';
  const errors = page?.consoleErrors ?? [];
  if (errors.length > 0)
    return errors.length === 1
      ? 'An error came up when the safety check opened it.'
      : `${errors.length} errors came up when the safety check opened it.`;
  if (page && !isFine(page)) return 'It asked for files that were not there.';
  return findings.length > 0 ? 'The safety check found something to fix.' : null;
}
