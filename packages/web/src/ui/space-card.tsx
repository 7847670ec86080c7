import type { PublicSpace } from '@spaceport/contract/gallery';
import { spaceTypeLabels } from '@spaceport/contract/labels';
import { halfOf, pictureOf } from '@spaceport/contract/picture-of';
import type { SpaceState } from '@spaceport/contract/spaces';
import { TagLinks } from './tags.tsx';
import { Num } from './text.tsx';
import { initialOf, tintOf } from './tint.ts';

/** Most tags that fit into a line. */
const shownTags = 3;

/** Most cards that are in the first view, whose pictures are the largest things that people wait for. */
const firstCards = 4;

/** Spaces as cards in a grid. */
export function SpaceCards({
  spaces,
  byOwner = true,
}: {
  spaces: readonly PublicSpace[];
  byOwner?: boolean;
}) {
  return (
    <ul className="spaces">
      {spaces.map((space, at) => (
        <SpaceCard key={space.slug} space={space} byOwner={byOwner} isFirst={at < firstCards} />
      ))}
    </ul>
  );
}

function SpaceCard({ space, byOwner, isFirst }: { space: PublicSpace; byOwner: boolean; isFirst: boolean }) {
  const { slug, title, owner, space_type, plays, claimed, tags } = space;
  return (
    <li className="space-card">
      <Picture space={space} isLazy={!isFirst} />
      <div className="about">
        <a className="title" href={`/s/${slug}`}>
          {title}
        </a>
        <p className="line">
          {byOwner && owner !== null ? (
            <a href={`/@${owner}`}>@{owner}</a>
          ) : (
            <span>
              {spaceTypeLabels[space_type].one}
              {!claimed && ', unclaimed'}
            </span>
          )}
          {plays > 0 && (
            <span className="plays">
              <Num value={plays} short />
              <span className="said"> plays</span>
            </span>
          )}
        </p>
        {tags.length > 0 && <TagLinks tags={tags.slice(0, shownTags)} />}
      </div>
    </li>
  );
}

/** The owner's picture, else the newest clip, else a background in the space's colour. */
export function Picture({
  space,
  isLazy = true,
}: {
  space: Pick<PublicSpace, 'slug' | 'title' | 'clip' | 'cover'> & { readonly state?: SpaceState };
  /** Whether it loads only when it is near the window, which is known only with the styles. */
  isLazy?: boolean;
}) {
  const { slug, title, state = 'listed' } = space;
  const picture = pictureOf(space);
  // A picture is public only while the space is.
  if (picture === null || state !== 'listed')
    return (
      <div className={`picture picture--none ${tintOf(slug)}`} aria-hidden="true">
        {initialOf(title)}
      </div>
    );
  const { url, ...size } = halfOf(picture);
  return (
    <div className="picture">
      <img src={url} {...size} alt="" loading={isLazy ? 'lazy' : undefined} />
    </div>
  );
}
