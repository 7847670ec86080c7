import type { OwnPlay } from '@spaceport/contract/own-play';
import { storageSlot } from '@spaceport/contract/storage-mirror';
import { LinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { Bytes, TimeAgo } from '../../ui/text.tsx';
import { Asking, OneButton } from './me-forms.tsx';

/** Returns a slot's name. The slot of the kept `localStorage` has none, and is called «Progress». */
const nameOf = (slot: string) => (slot === storageSlot ? 'Progress' : slot);

/** The current saves in the slots. */
export function Saves({ saves }: Pick<OwnPlay, 'saves'>) {
  return (
    <Card title="Saves">
      <ul className="settings-rows play-rows">
        {saves.map((save) => {
          const { space, slot, version } = save;
          return (
            <li key={`${space.slug} ${slot}`}>
              <About {...save} />
              <div className="row">
                <LinkButton
                  variant="plain"
                  size="small"
                  href={`/api/player/saves/${slot}?space=${space.slug}`}
                  download={`${space.slug}-${slot}.json`}
                  aria-label={`Download ${nameOf(slot)} of ${space.title}`}
                >
                  Download
                </LinkButton>
                <Asking action="Delete" of={`${nameOf(slot)} of ${space.title}`}>
                  <p className="small">The space begins anew without it, on every device of yours.</p>
                  <OneButton
                    to="/me/saves/delete"
                    fields={{ space: space.slug, slot, version: String(version) }}
                    name={`Delete ${nameOf(slot)}`}
                    variant="danger"
                  />
                </Asking>
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** The saves that lost a conflict between two devices. */
export function Losers({ losers }: Pick<OwnPlay, 'losers'>) {
  return (
    <Card title="Saves that were replaced">
      <p className="quiet me-about">
        Two devices saved in one slot, and one save was kept there. The other is here for a while: bring it
        back, and the current save is kept here instead.
      </p>
      <ul className="settings-rows play-rows">
        {losers.map((loser) => {
          const { id, space, slot, gone_at } = loser;
          return (
            <li key={id}>
              <About {...loser} goneAt={gone_at} />
              <div className="row">
                <OneButton to="/me/losers/restore" fields={{ id }} name="Bring back" />
                <LinkButton
                  variant="plain"
                  size="small"
                  href={`/api/player/me/losers/${id}`}
                  download={`${space.slug}-${slot}-replaced.json`}
                  aria-label={`Download the replaced ${nameOf(slot)} of ${space.title}`}
                >
                  Download
                </LinkButton>
                <Asking action="Delete" of={`the replaced ${nameOf(slot)} of ${space.title}`}>
                  <p className="small">It cannot be brought back then.</p>
                  <OneButton
                    to="/me/losers/delete"
                    fields={{ id }}
                    name={`Delete ${nameOf(slot)}`}
                    variant="danger"
                  />
                </Asking>
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function About({
  space,
  slot,
  at,
  device,
  bytes,
  goneAt,
}: Pick<OwnPlay['saves'][number], 'space' | 'slot' | 'at' | 'device' | 'bytes'> & { goneAt?: string }) {
  return (
    <div>
      <strong>{nameOf(slot)}</strong>
      <p className="quiet small">
        <a href={`/s/${space.slug}`}>{space.title}</a> · saved <TimeAgo at={at} />
        {device !== '' && ` by ${device}`} · <Bytes value={bytes} />
        {goneAt !== undefined && (
          <>
            {' '}
            · goes <TimeAgo at={goneAt} />
          </>
        )}
      </p>
    </div>
  );
}
