import type { SpaceState } from '@spaceport/contract/spaces';
import { Badge } from '../../ui/text.tsx';

const tones = {
  listed: 'good',
  unlisted: 'neutral',
  offline: 'neutral',
  held: 'warn',
  hidden: 'warn',
  removed: 'bad',
  deleted: 'bad',
} as const;

/** The title of a space with its owner, and its state unless it is listed. */
export function SpaceName({
  space: { title, slug, owner, state, service_url },
}: {
  space: { title: string; slug: string; owner: string | null; state: SpaceState; service_url: string };
}) {
  return (
    <div className="operator-name">
      <a href={service_url}>{title}</a>
      <span className="quiet small">
        {slug} · {owner === null ? 'no owner' : <a href={`/@${owner}`}>@{owner}</a>}
      </span>
      {state !== 'listed' && <StateName state={state} />}
    </div>
  );
}

/** The name of a state, by which operators act. `isEmpty` means that no version is live, so nobody sees the space. */
export function StateName({ state, isEmpty = false }: { state: SpaceState; isEmpty?: boolean }) {
  if (state === 'listed' && isEmpty) return <Badge>Nothing live</Badge>;
  return <Badge tone={tones[state]}>{state}</Badge>;
}
