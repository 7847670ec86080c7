import type { Review } from '@spaceport/contract/reviews';
import { client } from '../../data/client.ts';
import { EmptyState } from '../../ui/surfaces.tsx';
import { Paged } from './paged.tsx';
import { ReviewCard } from './review-card.tsx';
import type { OperatorView } from './view.ts';

/** The versions for which a review was asked, the longest wait first. */
export function Reviews({ onDecided }: OperatorView) {
  return (
    <Paged<Review>
      name="reviews"
      ask={async (cursor, signal) => {
        const { reviews, next } = await client.readReviews(
          { query: { limit: 20, ...(cursor === undefined ? {} : { cursor }) } },
          { signal },
        );
        return { items: reviews, next };
      }}
      empty={
        <EmptyState icon="check" title="Nothing waits for a review">
          <p>
            A creator whose version was refused, or could not be judged, can ask for one. It is then listed
            here.
          </p>
        </EmptyState>
      }
    >
      {(reviews, replace) => (
        <ul className="operator-cards">
          {reviews.map((review) => (
            <li key={review.id}>
              <ReviewCard
                review={review}
                onDecided={() => {
                  replace(review, null);
                  onDecided();
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </Paged>
  );
}
