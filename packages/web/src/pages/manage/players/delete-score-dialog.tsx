import type { Board } from '@spaceport/contract/boards';
import type { BoardEntry } from '@spaceport/contract/entries';
import { client } from '../../../data/client.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { formatScore } from '../../../ui/score.ts';
import { TimeAgo } from '../../../ui/text.tsx';
import { showToast } from '../../../ui/toast.tsx';

/** Explains the effect on the player, then deletes one submission. */
export function DeleteScoreDialog({
  slug,
  board,
  entry: { handle, score, submission, submitted_at },
  onClose,
  onDeleted,
}: {
  slug: string;
  board: Board;
  entry: BoardEntry;
  onClose: () => void;
  onDeleted: () => void;
}) {
  return (
    <ConfirmDialog
      title="Delete this score?"
      action="Delete the score"
      onClose={onClose}
      onConfirm={async () => {
        await client.deleteSubmission({ params: { slug, id: submission } });
        showToast(`Deleted. @${handle} is ranked from the remaining scores.`);
        onDeleted();
      }}
    >
      <p>
        {board.keep === 'sum' ? (
          <>
            The last score that @{handle} posted, <TimeAgo at={submitted_at} />, is taken out of their sum.
          </>
        ) : (
          <>
            <strong>{formatScore(score, board)}</strong> by @{handle}, posted <TimeAgo at={submitted_at} />,
            is lost. They are ranked from their other scores; without any they leave the board.
          </>
        )}{' '}
        This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
