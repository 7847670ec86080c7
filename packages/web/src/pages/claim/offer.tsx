import { ApiError } from '@spaceport/client/api-error';
import type { OwnSpace } from '@spaceport/contract/listing';
import { useState } from 'preact/compat';
import { useViewer } from '../../app/app.tsx';
import { client } from '../../data/client.ts';
import { forgetClaim, keptClaims } from '../../data/kept-claims.ts';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { HandleDialog } from '../../handle/handle-dialog.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { describeError } from '../../ui/describe-error.ts';
import { FormPage } from '../../ui/form-page.tsx';
import { FailureNotice } from '../../ui/refusal.tsx';
import { Notice, Skeleton } from '../../ui/surfaces.tsx';
import { TimeAgo } from '../../ui/text.tsx';
import { AboutClaiming } from './about-claiming.tsx';
import { isKept } from './kept-token.ts';

/** Shows the page of a claim token, with the button to claim it. */
export function Offer({
  token,
  onOther,
  onClaimed,
}: {
  token: string;
  onOther: () => void;
  onClaimed: (space: OwnSpace) => void;
}) {
  const found = useLoad(token, (signal) => readPage(token, signal));
  return (
    <FormPage
      title="Claim a page"
      below={[
        <Button key="other" variant="quiet" size="small" onClick={onOther}>
          Use another claim token
        </Button>,
      ]}
    >
      <div className="card stack">
        <AboutClaiming />
        {found.error !== null ? (
          <NotFound error={found.error} onRetry={found.reload} />
        ) : (
          <>
            <dl className="facts" aria-busy={found.value === null}>
              <dt>Page</dt>
              <dd>{found.value ? <PageLink token={token} address={found.value.pageUrl} /> : <Skeleton />}</dd>
              <dt>Ends</dt>
              <dd>{found.value ? <TimeAgo at={found.value.expiresAt} /> : <Skeleton width="8rem" />}</dd>
            </dl>
            <Take token={token} onClaimed={onClaimed} />
          </>
        )}
      </div>
    </FormPage>
  );
}

/** Returns the page of a token. A page that has an account already is no longer offered to be claimed. */
async function readPage(token: string, signal: AbortSignal) {
  try {
    return await client.withClaim(token).readClaim(undefined, { signal });
  } catch (error) {
    if (isClaimed(error)) forgetClaim(token);
    throw error;
  }
}

function isClaimed(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'claim_spent';
}

/**
 * A link to the page: with its title if this browser published it, else with its address, as the token has no
 * title.
 */
function PageLink({ token, address }: { token: string; address: string }) {
  const [kept] = useState(() => keptClaims().find(({ claimToken }) => claimToken === token));
  return (
    <a href={address} target="_blank" rel="noopener">
      {kept?.title ?? address.replace(/^https?:\/\//u, '')}
    </a>
  );
}

function Take({ token, onClaimed }: { token: string; onClaimed: (space: OwnSpace) => void }) {
  const viewer = useViewer();
  const [isNaming, setNaming] = useState(false);
  // The document knows of no handle that was chosen here.
  const [hasHandle, setHasHandle] = useState(viewer?.handle != null);
  const { run, busy, failure } = useAction(async () => {
    onClaimed(await client.claimUnlisted({ body: { claim_token: token } }));
  });
  if (viewer === null) return <SignInFirst isKept={isKept(token)} />;
  const account = viewer.handle === null ? viewer.name : `@${viewer.handle}`;
  return (
    <>
      <FailureNotice failure={failure} />
      <p className="small">
        It goes to <strong>{account}</strong>. Its address becomes one made of its title; the old one leads
        there.
      </p>
      <Button whole busy={busy} onClick={hasHandle ? run : () => setNaming(true)}>
        Claim the page
      </Button>
      {isNaming && (
        <HandleDialog
          onChosen={() => {
            setHasHandle(true);
            run();
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

/** Asks to sign in. The tab keeps the token meanwhile, if storage is on. */
function SignInFirst({ isKept: comesBack }: { isKept: boolean }) {
  return (
    <>
      <p className="small">Sign in first; the page is claimed for that account.</p>
      {!comesBack && (
        <Notice tone="warn">
          Your browser stores nothing for this page: open the claim link again when you are signed in.
        </Notice>
      )}
      <div className="choices">
        <LinkButton href="/sign-in?next=/claim">Sign in</LinkButton>
        <LinkButton variant="plain" href="/sign-up?next=/claim">
          Make an account
        </LinkButton>
      </div>
    </>
  );
}

function NotFound({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { text, mayRetry } = describeError(error);
  return (
    <Notice
      tone="bad"
      actions={
        mayRetry && (
          <Button size="small" variant="plain" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {isClaimed(error) ? (
        <>
          This page was claimed already. If it was you, it is among <a href="/dashboard">your spaces</a>.
        </>
      ) : (
        <>
          {text}
          {!mayRetry &&
            ' Copy the whole claim link and open it again. A page that nobody claims in time is deleted.'}
        </>
      )}
    </Notice>
  );
}
