import type { ReactNode } from 'preact/compat';
import { FieldsDialog } from './fields-dialog.tsx';
import { exactly, type FormField } from './form-field.tsx';

/** A field for the name of the thing that is deleted. */
export const typedName = (label: string, name: string, defaultValue?: string): FormField => ({
  name: 'typed',
  defaultValue,
  label,
  autoCapitalize: 'none',
  autoComplete: 'off',
  spellcheck: false,
  check: exactly(name),
});

/** Asks before an action that deletes something for everyone: its name has to be typed. */
export function TypedConfirmDialog({
  name,
  what,
  children,
  onConfirm,
  ...dialog
}: {
  readonly title: string;
  /** The name that has to be typed. */
  readonly name: string;
  /** The kind of name: «slug», «handle». */
  readonly what: string;
  readonly action: string;
  readonly children: ReactNode;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}) {
  return (
    <FieldsDialog
      {...dialog}
      danger
      fields={[typedName(`Type its ${what}, ${name}, to go on`, name)]}
      onSend={onConfirm}
    >
      <div className="stack stack--tight">{children}</div>
    </FieldsDialog>
  );
}
