import { client } from '../../../data/client.ts';
import { useLoad } from '../../../data/use-load.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Notice, Progress, Skeleton } from '../../../ui/surfaces.tsx';
import { Report } from './check-report.tsx';
import { VersionActions } from './version-actions.tsx';
import { Files } from './version-files.tsx';
import type { VersionProps } from './version-item.tsx';
import { meanings, standingOf } from './version-state.tsx';

/** Everything about one version: why it stands as it does, what to do with it, its check, its files. */
export function VersionDetails(props: VersionProps) {
  const { version, others } = props;
  const standing = standingOf(version);
  // Asked again when it has its verdict.
  const { value, error, reload } = useLoad(`${version.id} ${standing}`, (signal) =>
    client.readVersion({ params: { id: version.id } }, { signal }),
  );
  if (value === null)
    return (
      <div className="version-details">
        {error === null ? <Skeleton height={10} /> : <ErrorState error={error} retry={reload} />}
      </div>
    );
  const meaning = meanings[standing];
  return (
    <div className="version-details stack">
      {standing === 'checking' && <Progress value={null} label="Safety check" />}
      {(version.reason !== undefined || meaning !== undefined) && (
        <Notice tone={standing === 'checking' ? 'info' : standing === 'refused' ? 'bad' : 'warn'}>
          {version.reason !== undefined && <strong>{version.reason}</strong>} {meaning}
        </Notice>
      )}
      <VersionActions {...props} read={value} onRead={reload} />
      {value.report && <Report report={value.report} number={version.number} />}
      <Files version={version} others={others} />
    </div>
  );
}
