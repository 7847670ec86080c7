import { ApiError } from '@spaceport/client/api-error';
import { CodeBlock } from './copy.tsx';
import { describeError } from './describe-error.ts';
import { FailureNotice } from './refusal.tsx';
import { Notice } from './surfaces.tsx';

/** Code → next step, for codes whose message does not say it. */
const nextSteps: Readonly<Record<string, string>> = {
  blocked: 'The people who run this service keep that address out. Use another one, or ask them why.',
  duplicate: 'If that page is yours, claim it there. If not, use another address.',
  same_url: 'It runs there already. Give the address that it should move to.',
  removed: 'The operators of this service removed it. Ask them before you go on.',
  held: 'Wait until the review is over; nothing can be changed until then.',
  conflict: 'Somebody changed it in the same moment. Look at how it is now, then try again.',
  unreachable:
    'Open the address in a private window: it must show the page to everybody, with a status of 200.',
};

/**
 * Why a page could not be listed, claimed or moved to, with the next step and the text to copy into the page.
 */
export function ListingFailure({ error }: { error: unknown }) {
  const failure = describeError(error);
  const { text, signIn } = failure;
  if (!(error instanceof ApiError) || signIn) return <FailureNotice failure={failure} />;
  const { code, details } = error;
  const instruction = typeof details.instruction === 'string' ? details.instruction : nextSteps[code];
  const snippet = typeof details.snippet === 'string' ? details.snippet : null;
  const other = code === 'duplicate' && typeof details.url === 'string' ? details.url : null;
  return (
    <Notice tone="bad">
      <div className="stack stack--tight">
        <p>
          <strong>{text}</strong>
        </p>
        {instruction !== undefined && (
          <p>
            {instruction} {other !== null && <a href={other}>Open that page</a>}
          </p>
        )}
        {snippet !== null && (
          <CodeBlock label={code === 'unframeable' ? 'Header' : 'Proof tag'} code={snippet} />
        )}
      </div>
    </Notice>
  );
}
