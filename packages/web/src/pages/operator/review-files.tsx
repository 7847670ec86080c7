import { client } from '../../data/client.ts';
import { useLoad } from '../../data/use-load.ts';
import { Changes } from '../../report/changes.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/surfaces.tsx';

/** The files of a version under review, with the changes. */
export function ReviewFiles({ id }: { id: string }) {
  const { value, error, reload } = useLoad(id, (signal) =>
    client.readReviewFiles({ params: { id } }, { signal }),
  );
  if (value === null)
    return error === null ? <Skeleton height={8} /> : <ErrorState error={error} retry={reload} />;
  return (
    <section className="stack" aria-label="Files of the version">
      <h4>Files</h4>
      <Changes files={value} />
    </section>
  );
}
