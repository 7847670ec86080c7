import { useState } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { useAction } from '../../../data/use-action.ts';
import { useLoad } from '../../../data/use-load.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyField } from '../../../ui/copy.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { FailureNotice } from '../../../ui/refusal.tsx';
import { Card, Notice, Skeleton } from '../../../ui/surfaces.tsx';
import { TimeAgo } from '../../../ui/text.tsx';

/** The secret that identifies the space's own server. */
export function SecretCard({ slug }: { slug: string }) {
  const { value, error, reload } = useLoad(slug, (signal) =>
    client.readSecret({ params: { slug } }, { signal }),
  );
  const [issued, setIssued] = useState<{ secret: string; message: string } | null>(null);
  const [isReplacing, setReplacing] = useState(false);
  const issue = async () => {
    setIssued(await client.issueSecret({ params: { slug } }));
    reload();
  };
  const { run, busy, failure } = useAction(issue);
  const times = value?.secret ?? null;
  return (
    <Card title="Board secret">
      <div className="stack">
        <p className="quiet">
          Your own server posts scores with it. Boards with «Only your server» accept scores only in this way.
        </p>
        {error !== null && value === null ? (
          <ErrorState error={error} retry={reload} />
        ) : value === null ? (
          <Skeleton height={2.5} />
        ) : (
          <>
            {times !== null && (
              <p className="small">
                Issued <TimeAgo at={times.created_at} />
                {times.rotated_at !== null && (
                  <>
                    , replaced <TimeAgo at={times.rotated_at} />
                  </>
                )}
                .
              </p>
            )}
            {issued !== null && (
              <Notice tone="good">
                <div className="stack stack--tight">
                  <strong>Copy it now: it is shown only this once.</strong>
                  <CopyField label="Board secret" value={issued.secret} />
                  <p>{issued.message}</p>
                </div>
              </Notice>
            )}
            <FailureNotice failure={failure} />
            <div>
              {times === null ? (
                <Button icon="key" busy={busy} onClick={run}>
                  Issue a secret
                </Button>
              ) : (
                <Button variant="plain" icon="key" onClick={() => setReplacing(true)}>
                  Replace it
                </Button>
              )}
            </div>
          </>
        )}
      </div>
      {isReplacing && (
        <ConfirmDialog
          title="Replace the board secret?"
          action="Replace it"
          onClose={() => setReplacing(false)}
          onConfirm={issue}
        >
          <p>
            The current secret is refused at once. Your server cannot post until it has the new one. The old
            one cannot be brought back.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
