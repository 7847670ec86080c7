import type { Loaded } from '../../data/use-load.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { SectionSkeleton } from './section.tsx';

/** A section that is not loaded yet: its placeholder, or the error with a button that loads all of it again. */
export function WaitingSection({ loads }: { loads: readonly Pick<Loaded<unknown>, 'error' | 'reload'>[] }) {
  const failed = loads.find(({ error }) => error !== null);
  if (!failed) return <SectionSkeleton />;
  return (
    <ErrorState
      error={failed.error}
      retry={() => {
        for (const { reload } of loads) reload();
      }}
    />
  );
}
