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
  /** Whom the action concerns: they get a message of their own, if one is written. */
  readonly tells?: string;
  readonly onConfirm: (reason: string, message: string | undefined) => Promise<unknown>;
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

/** The field for an operator's words to the person whom an action is about. */
export const messageField = (whom: string): FormField => ({
  is: 'lines',
  name: 'message',
  label: `What ${whom} is told (optional)`,
  hint: 'By mail, beside what was done. The reason above stays with operators.',
  maxLength: 1_000,
  rows: 3,
});

/** Returns what was written into that field; undefined for nothing. */
export function messageIn(sent: FormData): string | undefined {
  return textOf(sent, 'message').trim() || undefined;
}

/** Asks for a reason before an action. The audit log stores it. */
export function ReasonDialog({ readBy, tells, onConfirm, children, ...dialog }: ReasonDialogProps) {
  return (
    <FieldsDialog
      {...dialog}
      fields={[
        reasonField(readBy ? `The audit log keeps it, and ${readBy} reads it.` : 'The audit log keeps it.'),
        ...(tells === undefined ? [] : [messageField(tells)]),
      ]}
      onSend={(sent) => onConfirm(textOf(sent, 'reason').trim(), messageIn(sent))}
    >
      <div className="quiet">{children}</div>
    </FieldsDialog>
  );
}
