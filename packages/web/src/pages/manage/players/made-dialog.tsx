import type { OwnContentItem } from '@spaceport/contract/content';
import { client } from '../../../data/client.ts';
import { useLoad } from '../../../data/use-load.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Skeleton } from '../../../ui/surfaces.tsx';

/** Shows the data of a player's item as text. */
export function MadeDialog({
  slug,
  item: { id, kind, title, handle },
  onClose,
}: {
  slug: string;
  item: OwnContentItem;
  onClose: () => void;
}) {
  const { value, error, reload } = useLoad(`${slug} ${id}`, (signal) =>
    client.readOwnContentItem({ params: { slug, id } }, { signal }),
  );
  return (
    <Dialog
      title={title === '' ? `A ${kind}` : title}
      wide
      onClose={onClose}
      actions={
        <Button variant="quiet" onClick={onClose}>
          Close
        </Button>
      }
    >
      <p className="quiet small">
        {kind}
        {handle !== null && ` by @${handle}`}
      </p>
      {value !== null && <CodeBlock code={JSON.stringify(value.data, null, 2)} label="Data" wrap long />}
      {value === null &&
        (error === null ? <Skeleton height={8} /> : <ErrorState error={error} retry={reload} />)}
    </Dialog>
  );
}
