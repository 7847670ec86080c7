import { useState } from 'preact/compat';
import { client } from '../../data/client.ts';
import { useAction } from '../../data/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNotice } from '../../ui/refusal.tsx';

/**
 * The sandbox of a version under review. The version has its own address, which lasts an hour. It cannot send
 * forms, open windows, download or navigate our page. `allow-same-origin` gives it only the storage of its
 * own address.
 */
const sandbox = 'allow-scripts allow-same-origin allow-pointer-lock';

/** A version under review, in a sealed frame that starts when the operator says so. */
export function ReviewFrame({ id, title }: { id: string; title: string }) {
  const [address, setAddress] = useState<string | null>(null);
  const { run, busy, failure } = useAction(async () => {
    const { preview_url } = await client.previewReview({ params: { id } });
    setAddress(preview_url);
  });
  return (
    <div className="stack stack--tight">
      <div className="review-stage">
        {address === null ? (
          <div className="review-start">
            <p className="quiet small">
              The safety check did not approve it. It runs restricted: no forms, windows or downloads.
            </p>
            <Button icon="play" busy={busy} onClick={run}>
              Run it here
            </Button>
          </div>
        ) : (
          <iframe
            className="review-frame"
            title={title}
            src={address}
            sandbox={sandbox}
            allow="gamepad; autoplay"
          />
        )}
      </div>
      <FailureNotice failure={failure} />
      {address !== null && (
        <div className="row">
          <Button variant="quiet" size="small" icon="restart" busy={busy} onClick={run}>
            Start again
          </Button>
          <Button variant="quiet" size="small" icon="close" onClick={() => setAddress(null)}>
            End it
          </Button>
        </div>
      )}
    </div>
  );
}
