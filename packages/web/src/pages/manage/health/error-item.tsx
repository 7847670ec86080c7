import type { SpaceError } from '@spaceport/contract/telemetry';
import { useElementId } from '../../../app/element-id.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Num, TimeAgo } from '../../../ui/text.tsx';
import { ErrorDetails } from './error-details.tsx';

/** One error in the list: its line, and its details if it is open. */
export function ErrorItem({
  slug,
  error,
  isOpen,
  onToggle,
  onChanged,
}: {
  slug: string;
  error: SpaceError;
  isOpen: boolean;
  onToggle: () => void;
  onChanged: () => void;
}) {
  const id = useElementId();
  const { message, place, count, sessions, last_seen: lastSeen, versions } = error;
  return (
    <li className="fault">
      <h3>
        <button
          type="button"
          className="fault-line"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
        >
          <span className="fault-what">
            <bdi className="fault-message">{message}</bdi>
            <span className="quiet small">
              {place !== null && (
                <>
                  <bdi>{place}</bdi> ·{' '}
                </>
              )}
              {versionsOf(versions)} · <TimeAgo at={lastSeen} />
            </span>
          </span>
          <span className="fault-count small">
            <span>
              <Num value={count} short /> {count === 1 ? 'time' : 'times'}
            </span>
            <span className="quiet">
              in <Num value={sessions} short /> {sessions === 1 ? 'load' : 'loads'}
            </span>
          </span>
          <Icon name="chevron" />
        </button>
      </h3>
      <div id={id} hidden={!isOpen}>
        {isOpen && <ErrorDetails slug={slug} error={error} onChanged={onChanged} />}
      </div>
    </li>
  );
}

function versionsOf(versions: SpaceError['versions']): string {
  const numbers = versions.flatMap(({ version }) => version ?? []);
  if (numbers.length === 0) return 'your site';
  if (numbers.length === 1) return `version ${numbers[0]}`;
  return `versions ${numbers.slice(0, 4).join(', ')}${numbers.length > 4 ? ' …' : ''}`;
}
