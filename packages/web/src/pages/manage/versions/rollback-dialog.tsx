import type { VersionListEntry } from '@spaceport/contract/versions';
import { client } from '../../../data/client.ts';
import { describeError } from '../../../ui/describe-error.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { TimeAgo } from '../../../ui/text.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useOwnSpace } from '../own-space.tsx';

/** Explains a rollback, then rolls back. The toast offers to undo it. */
export function RollbackDialog({
  slug,
  to,
  live,
  onClose,
  onChanged,
}: {
  slug: string;
  to: VersionListEntry;
  /** The live version. */
  live: VersionListEntry;
  onClose: () => void;
  onChanged: () => void;
}) {
  const { reload } = useOwnSpace();
  const back = to.number < live.number;
  const swap = async (number: number) => {
    await client.rollback({ params: { slug }, body: { version: number } });
    onChanged();
    // It has happened, also if the space cannot be read again.
    await reload().catch(() => {});
  };
  const undo = () => {
    swap(live.number).then(
      () => showToast(`Version ${live.number} is live again.`),
      (error: unknown) => showToast(describeError(error).text, 'bad'),
    );
  };
  return (
    <ConfirmDialog
      title={`Roll ${back ? 'back' : 'forward'} to version ${to.number}?`}
      action={`Roll ${back ? 'back' : 'forward'}`}
      danger={false}
      onConfirm={async () => {
        await swap(to.number);
        showToast(`Version ${to.number} is live.`, 'info', undo);
      }}
      onClose={onClose}
    >
      <div className="stack stack--tight">
        <p>
          From now on everyone gets version {to.number}
          {to.liveAt !== undefined && (
            <>
              , which went live <TimeAgo at={to.liveAt} />
            </>
          )}
          . Current players keep the version that is loaded.
        </p>
        <p>
          Version {live.number} stays: roll {back ? 'forward' : 'back'} to it whenever you like. Boards,
          scores and the listing are not touched.
        </p>
      </div>
    </ConfirmDialog>
  );
}
