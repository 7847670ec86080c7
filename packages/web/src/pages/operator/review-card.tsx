import type { Review } from '@spaceport/contract/reviews';
import { useState } from 'preact/compat';
import { client } from '../../data/client.ts';
import { Report } from '../../report/check-report.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Notice } from '../../ui/surfaces.tsx';
import { Badge, Bytes, Num, TimeAgo } from '../../ui/text.tsx';
import { showToast } from '../../ui/toast.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { ReviewFiles } from './review-files.tsx';
import { ReviewFrame } from './review-frame.tsx';
import { SpaceName } from './space-name.tsx';

/** One version under review, running beside the check's findings and its files. */
export function ReviewCard({ review, onDecided }: { review: Review; onDecided: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const [decision, setDecision] = useState<'approve' | 'decline' | null>(null);
  const { space, number, status, reason, report, files, bytes, requested_at, preview, superseded } = review;
  return (
    <Card>
      <div className="row row--apart">
        <div className="operator-what">
          <SpaceName space={space} />
          <p className="quiet small">
            Version <Num value={number} /> · <Num value={files} /> {files === 1 ? 'file' : 'files'},{' '}
            <Bytes value={bytes} /> · asked <TimeAgo at={requested_at} />
          </p>
        </div>
        <div className="row">
          <Badge tone={status === 'refused' ? 'bad' : 'warn'}>{status}</Badge>
          <Button variant="plain" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Close' : 'Look at it'}
            <span className="said">
              : {space.title}, version {number}
            </span>
          </Button>
        </div>
      </div>
      {reason !== null && <p className="operator-reason">{reason}</p>}
      {superseded && (
        <Notice>
          A newer version is live. If you approve this one, the newer version stays live; this one can then be
          rolled back to.
        </Notice>
      )}
      {isOpen && (
        <div className="review">
          <ReviewFrame id={review.id} title={`${space.title}, version ${number}`} />
          <div className="stack">
            {report === null ? (
              <p className="quiet">The check left no report.</p>
            ) : (
              <Report report={report} number={number} />
            )}
            <ReviewFiles id={review.id} />
          </div>
        </div>
      )}
      {isOpen && (
        <div className="row operator-decide">
          <Button variant="danger" onClick={() => setDecision('decline')}>
            Decline…
          </Button>
          <Button onClick={() => setDecision('approve')}>Approve…</Button>
        </div>
      )}
      {decision !== null && (
        <ReasonDialog
          title={decision === 'approve' ? `Approve version ${number}?` : `Decline version ${number}?`}
          action={decision === 'approve' ? 'Approve' : 'Decline'}
          danger={decision === 'decline'}
          readBy={decision === 'decline' ? 'its creator' : undefined}
          onClose={() => setDecision(null)}
          onConfirm={async (why) => {
            const { outcome } = await client.decideReview({
              params: { id: review.id },
              body: { decision, reason: why },
            });
            showToast(outcomes[outcome]);
            onDecided();
          }}
        >
          {decision === 'approve'
            ? `${preview ? 'It is a preview: its links show it again.' : 'It goes live at once, unless a newer version is.'} A review is decided once.`
            : `It stays ${status}, and its creator gets your reason. A review is decided once; the creator can publish again.`}
        </ReasonDialog>
      )}
    </Card>
  );
}

const outcomes = {
  live: 'It is live now.',
  preview: 'Approved. Its links show it again.',
  superseded: 'Approved. The newer version stays live.',
  declined: 'Declined. Its creator sees your reason.',
} as const;
