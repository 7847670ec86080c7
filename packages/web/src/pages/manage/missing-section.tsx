import { useEffect, useState } from 'preact/compat';
import type { Missing } from '../../app/lazy-part.tsx';
import { needsNewDocument } from '../../app/stale-page.ts';
import { FailedState } from '../../ui/failed-state.tsx';
import { missingPart, noAnswer } from '../../ui/plain-errors.ts';
import { SectionSkeleton } from './section.tsx';

/** Takes the place of a section whose script could not be loaded. */
export function MissingSection({ retry }: Missing) {
  const [isNeeded, setNeeded] = useState<boolean | null>(null);
  useEffect(() => void needsNewDocument().then(setNeeded), []);
  if (isNeeded === null) return <SectionSkeleton />;
  return isNeeded ? (
    <FailedState text={missingPart} retry={() => location.reload()} />
  ) : (
    <FailedState text={noAnswer} retry={retry} />
  );
}
