import type { VersionListEntry } from '@spaceport/contract/versions';
import { useElementId } from '../../../app/element-id.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Badge, Bytes, Num, TimeAgo } from '../../../ui/text.tsx';
import type { VersionDetailsRead } from './use-versions.ts';
import { VersionDetails } from './version-details.tsx';
import { StandingBadge, standingOf } from './version-state.tsx';

export interface VersionProps {
  readonly version: VersionListEntry;
  /** The live version; null if there is none. */
  readonly live: VersionListEntry | null;
  /** The space's other versions, for comparisons. */
  readonly others: readonly VersionListEntry[];
  /** The details, if they were loaded with the list. */
  readonly details: VersionDetailsRead | null;
  /** Reads the list again. */
  readonly onChanged: () => void;
}

/** One version in the timeline: its line, and its details if it is open. */
export function VersionItem({
  isOpen,
  onToggle,
  ...props
}: VersionProps & { isOpen: boolean; onToggle: () => void }) {
  const { version } = props;
  const { number, createdAt, liveAt, files, size, reason, leftBehind } = version;
  const standing = standingOf(version);
  const id = useElementId();
  return (
    <li className={`version version--${standing}`} value={number}>
      <h3>
        <button
          type="button"
          className="version-line"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
        >
          <span className="version-number">
            <span className="said">Version </span>
            {number}
          </span>
          <span className="version-what">
            <span className="row">
              <StandingBadge standing={standing} />
              {leftBehind && <Badge>From before the move</Badge>}
              <span className="quiet small">
                {liveAt === undefined ? (
                  <TimeAgo at={createdAt} />
                ) : (
                  <>
                    Went live <TimeAgo at={liveAt} />
                  </>
                )}
              </span>
            </span>
            {reason !== undefined && !isOpen && <span className="version-reason small">{reason}</span>}
          </span>
          <span className="version-size quiet small">
            <Num value={files} /> {files === 1 ? 'file' : 'files'} · <Bytes value={size} />
          </span>
          <Icon name="chevron" />
        </button>
      </h3>
      <div id={id} hidden={!isOpen}>
        {isOpen && <VersionDetails {...props} />}
      </div>
    </li>
  );
}
