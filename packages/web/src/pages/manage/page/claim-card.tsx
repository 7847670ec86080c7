import { isFrozen } from '@spaceport/contract/frozen';
import { proofTagName } from '@spaceport/contract/listing';
import { useViewer } from '../../../app/app.tsx';
import { client } from '../../../data/client.ts';
import { useAction } from '../../../data/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/copy.tsx';
import { ListingFailure } from '../../../ui/listing-failure.tsx';
import { Card, Notice } from '../../../ui/surfaces.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useOwnSpace } from '../own-space.tsx';

/** For a page that runs elsewhere: buttons to claim it and to read it again. */
export function ClaimCard() {
  const { space, reload } = useOwnSpace();
  const handle = useViewer()?.handle ?? '';
  const { run, busy, error } = useAction(async () => {
    const { page_warning } = await client.verifySpace({ body: { slug: space.slug } });
    await reload();
    showToast(
      space.claimed
        ? page_warning === null
          ? 'The page was read. Everything is fine.'
          : 'The page was read. Its boards block is still wrong.'
        : 'It is yours now.',
    );
  });
  if (isFrozen(space)) return null;
  return (
    <Card title={space.claimed ? 'Your page' : 'Claim this page'}>
      <div className="stack">
        {space.claimed ? (
          <p className="small">
            Boards, stats and achievements that its head declares are read once a day. Read them now after you
            have changed them.
          </p>
        ) : (
          <>
            <p>
              Show that it is yours: put this into the head of the page, publish it where it runs, then have
              it checked.
            </p>
            <CodeBlock label="Proof tag" code={`<meta name="${proofTagName}" content="${handle}">`} />
          </>
        )}
        {space.page_warning !== null && <Notice tone="warn">{space.page_warning}</Notice>}
        {error !== null && <ListingFailure error={error} />}
        <div>
          <Button variant={space.claimed ? 'plain' : 'primary'} icon="search" busy={busy} onClick={run}>
            {space.claimed ? 'Read it now' : 'Check the page'}
          </Button>
        </div>
      </div>
    </Card>
  );
}
