import { ConnectionError } from '@spaceport/client/api-error';
import { lazy, Suspense } from 'preact/compat';
import { FailedState } from './failed-state.tsx';
import { noAnswer } from './plain-errors.ts';
import { Skeleton } from './surfaces.tsx';

interface Props {
  readonly error: unknown;
  readonly retry: () => void;
}

const NoAnswer = ({ retry }: Props) => <FailedState text={noAnswer} retry={retry} />;

// The words for refusals are loaded with the first one. If they cannot be, the service is away.
const Refused = lazy(() =>
  import('./error-state.part.tsx').then(
    ({ ErrorState: Shown }) => ({ default: Shown }),
    () => ({ default: NoAnswer }),
  ),
);

/** The ErrorState for pages on which errors are rare, and whose script should be small. */
export function ErrorState(props: Props) {
  if (props.error instanceof ConnectionError) return <NoAnswer {...props} />;
  return (
    <Suspense fallback={<Skeleton height={10} />}>
      <Refused {...props} />
    </Suspense>
  );
}
