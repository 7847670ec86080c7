import { client } from '../../../data/client.ts';
import { useChecked } from '../../../data/use-checked.ts';
import { useLoad } from '../../../data/use-load.ts';
import { Report } from '../../../report/check-report.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Notice, Progress, Skeleton } from '../../../ui/surfaces.tsx';
import { ReviewNotice } from './review-notice.tsx';
import { readDetails } from './use-versions.ts';
import { VersionActions } from './version-actions.tsx';
import { Files } from './version-files.tsx';
import type { VersionProps } from './version-item.tsx';
import { meanings, standingOf } from './version-state.tsx';

/** The details of a version: the reason of its state, actions, its check, its files. */
export function VersionDetails(props: VersionProps) {
  const { version, others, details } = props;
  const standing = standingOf(version);
  // Read again when the verdict is there.
  const { value, error, reload } = useLoad(
    `${version.id} ${standing}`,
    (signal) => readDetails(version.id, signal),
    details,
  );
  const isUnchecked = value?.read.status === 'preview' && value.read.report === undefined;
  useChecked(client, isUnchecked ? version.id : null, () => {
    reload();
    // The version may have become refused.
    props.onChanged();
  });
  if (value === null)
    return (
      <div className="version-details">
        {error === null ? <Skeleton height={24} /> : <ErrorState error={error} retry={reload} />}
      </div>
    );
  const { read, files } = value;
  const isDecided = read.review?.outcome !== undefined;
  // After a review no further review can be asked for, so the text that offers one is left out.
  const meaning = isDecided ? undefined : meanings[standing];
  // The check's findings are more precise than the reason.
  const isToldBelow = read.report?.findings.some(({ message }) => version.reason?.includes(message)) ?? false;
  const reason = isToldBelow || read.review?.outcome === 'declined' ? undefined : version.reason;
  return (
    <div className="version-details stack">
      {(standing === 'checking' || isUnchecked) && <Progress value={null} label="Safety check" />}
      {(reason !== undefined || meaning !== undefined) && (
        <Notice tone={standing === 'checking' ? 'info' : standing === 'refused' ? 'bad' : 'warn'}>
          {reason !== undefined && <strong>{reason}</strong>} {meaning}
        </Notice>
      )}
      {read.review && <ReviewNotice review={read.review} reason={version.reason} />}
      <VersionActions {...props} read={read} onRead={reload} />
      {read.report && <Report report={read.report} number={version.number} />}
      <Files version={version} others={others} first={files} />
    </div>
  );
}
