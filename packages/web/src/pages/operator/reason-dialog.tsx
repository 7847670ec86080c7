import { type ReactNode, useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';

export interface ReasonDialogProps {
  readonly title: string;
  /** The verb on the button. */
  readonly action: string;
  readonly danger?: boolean;
  /** What will happen, to whom, and how it can be undone. */
  readonly children: ReactNode;
  /** Who reads the reason beside the operators. */
  readonly readBy?: string;
  readonly onConfirm: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
}

const maxReason = 1_000;

/** Asks why before anything is done: the audit log keeps it. */
export function ReasonDialog({
  title,
  action,
  danger = false,
  children,
  readBy,
  onConfirm,
  onClose,
}: ReasonDialogProps) {
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const { run, busy, failure } = useAction(async () => {
    if (reason.trim() === '') return setMissing(true);
    await onConfirm(reason.trim());
    onClose();
  });
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      action={action}
      danger={danger}
      busy={busy}
      failure={failure?.text}
      onSubmit={run}
    >
      <div className="quiet">{children}</div>
      <TextArea
        label="Why?"
        hint={readBy ? `The audit log keeps it, and ${readBy} reads it.` : 'The audit log keeps it.'}
        value={reason}
        maxLength={maxReason}
        rows={3}
        autoFocus
        problem={
          isMissing && reason.trim() === ''
            ? 'Say why, in a few words.'
            : (failure?.problems.reason ?? undefined)
        }
        onChange={({ target }) => setReason(target.value)}
      />
    </FormDialog>
  );
}
