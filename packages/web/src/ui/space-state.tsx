import type { OwnSpace } from '@spaceport/contract/listing';
import { Badge } from './text.tsx';

/** The state of a space in one or two words, for its creator. */
export function StateBadge({ space: { state, page, hosted, live_version } }: { space: OwnSpace }) {
  switch (state) {
    case 'held':
      return <Badge tone="warn">Under review</Badge>;
    case 'hidden':
      return <Badge tone="warn">Hidden</Badge>;
    case 'removed':
      return <Badge tone="bad">Removed</Badge>;
    case 'offline':
      return <Badge tone="warn">Offline</Badge>;
    case 'deleted':
      return <Badge tone="bad">Deleted</Badge>;
    case 'unlisted':
      return <Badge>Without an account</Badge>;
    case 'listed':
      if (hosted && live_version === null) return <Badge>Not public yet</Badge>;
      return page.unlisted ? <Badge>Not in the gallery</Badge> : <Badge tone="good">Public</Badge>;
  }
}
