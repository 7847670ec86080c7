import type { MySpace } from '@spaceport/contract/listing';
import { leaveTo } from '../../app/leave.ts';
import { client } from '../../data/client.ts';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNotice } from '../../ui/refusal.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { TimeAgo } from '../../ui/text.tsx';

/** The viewer's deleted spaces that can be restored; renders nothing if there are none. */
export function DeletedSpaces() {
  const { value, reload } = useLoad('deleted', (signal) =>
    client.mySpaces({ query: { deleted: '1', limit: 100 } }, { signal }),
  );
  if (value === null || value.spaces.length === 0) return null;
  return (
    <Card title="Deleted">
      <ul className="rows">
        {value.spaces.map((space) => (
          <Deleted key={space.slug} space={space} onRestored={reload} />
        ))}
      </ul>
    </Card>
  );
}

function Deleted({
  space: { slug, title, restorable_until },
  onRestored,
}: {
  space: MySpace;
  onRestored: () => void;
}) {
  const { run, busy, failure } = useAction(async () => {
    await client.restoreDeletedSpace({ params: { slug } });
    onRestored();
    await leaveTo(`/dashboard/${slug}`);
  });
  return (
    <li>
      <div className="row row--apart">
        <div>
          <strong>{title}</strong>{' '}
          <span className="quiet small">
            {slug}
            {restorable_until !== undefined && (
              <>
                {' '}
                · goes for good <TimeAgo at={restorable_until} />
              </>
            )}
          </span>
        </div>
        <Button variant="plain" size="small" busy={busy} onClick={run}>
          Restore
        </Button>
      </div>
      <FailureNotice failure={failure} />
    </li>
  );
}
