import type { ReactNode } from 'preact/compat';
import { FieldsDialog } from '../../ui/fields-dialog.tsx';
import { type FormField, filledIn } from '../../ui/form-field.tsx';
import { textOf } from '../../ui/form-page.tsx';

export interface ReasonDialogProps {
  readonly title: string;
  /** The verb on the button. */
  readonly action: string;
  readonly danger?: boolean;
  /** The effect of the action, on whom, and how it can be undone. */
  readonly children: ReactNode;
  /** The other readers of the reason besides operators. */
  readonly readBy?: string;
  readonly onConfirm: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** The field for an operator's reason. `hint` says who reads it. */
export const reasonField = (hint: string): FormField => ({
  is: 'lines',
  name: 'reason',
  label: 'Why?',
  hint,
  maxLength: 1_000,
  rows: 3,
  check: filledIn('Say why, in a few words.'),
});

/** Asks for a reason before an action. The audit log stores it. */
export function ReasonDialog({ readBy, onConfirm, children, ...dialog }: ReasonDialogProps) {
  return (
    <FieldsDialog
      {...dialog}
      fields={[
        reasonField(readBy ? `The audit log keeps it, and ${readBy} reads it.` : 'The audit log keeps it.'),
      ]}
      onSend={(sent) => onConfirm(textOf(sent, 'reason').trim())}
    >
      <div className="quiet">{children}</div>
    </FieldsDialog>
  );
}
