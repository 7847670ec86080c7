import { client } from '../../../data/client.ts';
import { describeError } from '../../../ui/describe-error.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { showToast } from '../../../ui/toast.tsx';

/** Explains a ban, then bans. The toast offers to undo it. */
export function BanDialog({
  slug,
  handle,
  onClose,
  onChanged,
}: {
  slug: string;
  handle: string;
  onClose: () => void;
  onChanged: () => void;
}) {
  const undo = () => {
    client.liftBan({ params: { slug }, body: { handle } }).then(
      () => {
        onChanged();
        showToast(`@${handle} is ranked again.`);
      },
      (error: unknown) => showToast(describeError(error).text, 'bad'),
    );
  };
  return (
    <ConfirmDialog
      title={`Ban @${handle}?`}
      action="Ban the player"
      onClose={onClose}
      onConfirm={async () => {
        await client.banPlayer({ params: { slug }, body: { handle } });
        onChanged();
        showToast(`@${handle} is banned.`, 'info', undo);
      }}
    >
      <p>
        They leave every ranking of this space at once, what they made here is hidden, and they cannot post or
        publish any more. Lifting the ban brings all of it back, except the likes they gave.
      </p>
    </ConfirmDialog>
  );
}
