import type { ReactNode } from 'preact/compat';
import { useForm } from '../data/use-form.ts';
import { useIsThere } from '../data/use-is-there.ts';
import { FormDialog, type FormDialogProps } from './dialog.tsx';
import { type FormField, FormFields } from './form-field.tsx';

/** A form dialog whose fields are data. It closes when the form was accepted; otherwise it shows why not. */
export function FieldsDialog({
  fields,
  grid = false,
  onSend,
  children,
  below,
  ...dialog
}: Omit<FormDialogProps, 'busy' | 'failure' | 'onSubmit' | 'children'> & {
  readonly fields: readonly FormField[];
  /** Two fields beside each other, if there is room. */
  readonly grid?: boolean;
  readonly onSend: (form: FormData) => Promise<unknown>;
  /** Content above the fields. */
  readonly children?: ReactNode;
  readonly below?: ReactNode;
}) {
  const isThere = useIsThere();
  const form = useForm(fields, async (sent) => {
    await onSend(sent);
    if (isThere()) dialog.onClose();
  });
  const drawn = <FormFields fields={fields} at={form.at} />;
  return (
    <FormDialog
      {...dialog}
      busy={form.busy}
      failure={dialog.wide ? form.below : form.above}
      onSubmit={form.send}
    >
      {children}
      {grid ? <div className="form-grid">{drawn}</div> : drawn}
      {below}
    </FormDialog>
  );
}
