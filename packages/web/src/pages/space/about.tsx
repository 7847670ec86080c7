import type { PublicSpace } from '@spaceport/contract/gallery';

/** The creator's texts about the space and how it was made. */
export function About({ space: { description, how_made } }: { space: PublicSpace }) {
  return (
    <div className="stack stack--loose">
      {description && <p className="prose">{description}</p>}
      {how_made && (
        <section className="stack stack--tight" aria-labelledby="how-made">
          <h2 id="how-made">How it was made</h2>
          <p className="prose">{how_made}</p>
        </section>
      )}
    </div>
  );
}
