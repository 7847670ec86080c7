import type { MySpace } from '@spaceport/contract/listing';
import { parseUrl } from '@spaceport/contract/parse-url';
import { Picture } from '../../ui/space-card.tsx';
import { StateBadge } from '../../ui/space-state.tsx';
import { Badge, Num } from '../../ui/text.tsx';

/** A card of one of the viewer's spaces, with its state. */
export function MySpaceCard({ space }: { space: MySpace }) {
  const { slug, title, hosted, live_version, waiting_checks, plays, claimed, url } = space;
  return (
    <li className="space-card">
      <Picture space={space} />
      <div className="about">
        <a className="title" href={`/dashboard/${slug}`}>
          {title}
        </a>
        <p className="line my-space-line">
          <span>
            {hosted ? (
              live_version === null ? (
                'Nothing live yet'
              ) : (
                <>
                  Version <Num value={live_version} /> live
                </>
              )
            ) : (
              hostOf(url)
            )}
          </span>
          <span>
            <Num value={plays} short /> {plays === 1 ? 'play' : 'plays'}
          </span>
        </p>
        <p className="my-space-badges">
          <StateBadge space={space} />
          {waiting_checks > 0 && (
            <Badge tone="accent">
              {waiting_checks === 1 ? 'Checking a version' : `Checking ${waiting_checks} versions`}
            </Badge>
          )}
          {!claimed && <Badge tone="warn">Unclaimed</Badge>}
          {space.page_warning !== null && <Badge tone="warn">Mistake in its boards block</Badge>}
        </p>
      </div>
    </li>
  );
}

function hostOf(url: string | null): string {
  return parseUrl(url ?? '')?.host ?? '';
}
