import { useViewer } from '../../app/app.tsx';
import type { PageProps } from '../../app/pages.ts';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState, Main, Notice } from '../../ui/surfaces.tsx';

/** Replaces a page that does not exist, is gone, or failed: says why, and where to go on. */
export default function ProblemPage({ data: { title, text, requestId } }: PageProps<'problem'>) {
  const viewer = useViewer();
  return (
    <Main width="wide">
      <EmptyState
        title={title}
        level={1}
        actions={
          <>
            <LinkButton href="/">Find something to play</LinkButton>
            {viewer && (
              <LinkButton variant="plain" href="/dashboard">
                Your spaces
              </LinkButton>
            )}
          </>
        }
      >
        <p role="alert">{text}</p>
        {requestId !== null && (
          <Notice>
            If you report this problem, name the request <code>{requestId}</code>.
          </Notice>
        )}
      </EmptyState>
    </Main>
  );
}
