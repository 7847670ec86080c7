import type { VersionFiles, VersionListEntry } from '@spaceport/contract/versions';
import { useState } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { useLoad } from '../../../data/use-load.ts';
import { Changes } from '../../../report/changes.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Select } from '../../../ui/field.tsx';
import { ReloadFailure } from '../../../ui/reload-failure.tsx';
import { Skeleton } from '../../../ui/surfaces.tsx';

/** The files of a version, and the changes since another one. */
export function Files({
  version,
  others,
  first,
}: {
  version: VersionListEntry;
  others: readonly VersionListEntry[];
  /** The files, compared with the previous finished version. */
  first: VersionFiles;
}) {
  // Empty means the previous finished version, which the service chooses.
  const [against, setAgainst] = useState('');
  const { value, error, reload } = useLoad(
    `${version.id} ${against}`,
    (signal) =>
      client.readVersionFiles(
        { params: { id: version.id }, query: against === '' ? {} : { against: Number(against) } },
        { signal },
      ),
    first,
  );
  if (error !== null && value === null) return <ErrorState error={error} retry={reload} />;
  if (value === null) return <Skeleton height={12} />;
  return (
    <section className="stack" aria-label={`Files of version ${version.number}`}>
      <div className="row row--apart">
        <h4>Files</h4>
        {others.length > 0 && (
          <div className="compare">
            <Select
              label="Compared with"
              value={against === '' ? String(value.diff.against ?? '') : against}
              options={[
                ...(value.diff.against === null ? [['', 'Nothing'] as const] : []),
                ...others.map(({ number }) => [String(number), `Version ${number}`] as const),
              ]}
              onChange={({ currentTarget }) => setAgainst(currentTarget.value)}
            />
          </div>
        )}
      </div>
      <ReloadFailure loads={[{ error, reload }]} />
      <Changes files={value} />
    </section>
  );
}
