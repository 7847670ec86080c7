import type { ReviewRead } from '@spaceport/contract/versions';
import { Notice } from '../../../ui/surfaces.tsx';
import { TimeAgo } from '../../../ui/text.tsx';

/** The notice about a review: the decision, its time and its reason. */
export function ReviewNotice({ review, reason }: { review: ReviewRead; reason: string | undefined }) {
  const { requestedAt, decidedAt, outcome } = review;
  if (decidedAt === undefined || outcome === undefined)
    return (
      <Notice>
        You asked for a review <TimeAgo at={requestedAt} />. An operator of the service looks at it; how they
        decide appears here.
      </Notice>
    );
  if (outcome === 'declined')
    return (
      <Notice tone="bad">
        <strong>
          An operator declined this version <TimeAgo at={decidedAt} />
          {reason !== undefined && <>: {reason}</>}
        </strong>{' '}
        A version is reviewed only once; fix it and publish a new one.
      </Notice>
    );
  return (
    <Notice tone="good">
      An operator approved this version <TimeAgo at={decidedAt} />
      {outcome === 'preview' && ': its links show it again'}
      {outcome === 'superseded' && '. A newer one was live already, and stays'}.
    </Notice>
  );
}
