import type { ReactNode } from 'preact/compat';
import { Button } from './button.tsx';
import { EmptyState } from './surfaces.tsx';

/** Replaces content that is not there: says why, and what to do next. */
export function FailedState({
  text,
  retry,
  action,
  children,
}: {
  text: string;
  retry?: (() => void) | undefined;
  /** Another button than "Try again". */
  action?: ReactNode;
  children?: ReactNode;
}) {
  const again = retry && (
    <Button icon="restart" onClick={retry}>
      Try again
    </Button>
  );
  return (
    <div role="alert">
      <EmptyState icon="alert" title="That did not work" actions={action || again}>
        <p>{text}</p>
        {children}
      </EmptyState>
    </div>
  );
}
