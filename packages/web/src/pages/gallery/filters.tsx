import { spaceTypeLabels } from '@spaceport/contract/labels';
import { spaceTypes } from '@spaceport/contract/spaces';
import { Icon } from '../../ui/icon.tsx';
import { type Asked, addressOf, sortOf } from './asked.ts';

/** Type, tag and order, each a link, so that a view can be bookmarked and shared. */
export function Filters({ asked }: { asked: Asked }) {
  const isSearch = asked.q.trim() !== '';
  return (
    <div className="gallery-filters">
      <nav className="choice-row" aria-label="Types">
        {asked.tag !== null && (
          <a href={addressOf({ ...asked, tag: null })} aria-current>
            #{asked.tag} <Icon name="close" />
            <span className="said">Take the tag away</span>
          </a>
        )}
        <Choice asked={asked} to={{ ...asked, spaceType: null }} text="All" />
        {spaceTypes.map((type) => (
          <Choice
            key={type}
            asked={asked}
            to={{ ...asked, spaceType: type }}
            text={spaceTypeLabels[type].many}
          />
        ))}
      </nav>
      <nav className="choice-row" aria-label="Order">
        {isSearch && <Choice asked={asked} to={{ ...asked, sort: null }} text="Best match" />}
        <Choice asked={asked} to={{ ...asked, sort: isSearch ? 'new' : null }} text="New" />
        <Choice asked={asked} to={{ ...asked, sort: 'played' }} text="Most played" />
      </nav>
    </div>
  );
}

function Choice({ asked, to, text }: { asked: Asked; to: Asked; text: string }) {
  const isCurrent = asked.spaceType === to.spaceType && sortOf(asked) === sortOf(to);
  return (
    <a href={addressOf(to)} aria-current={isCurrent || undefined}>
      {text}
    </a>
  );
}
