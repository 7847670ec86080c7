import { type ReactNode, useState } from 'react';
import { useAction } from '../data/use-action.ts';
import { FormDialog } from './dialog.tsx';
import { Field } from './field.tsx';

/** Asks before what takes something away from everyone: the name of the very thing has to be typed. */
export function TypedConfirmDialog({
  title,
  name,
  what,
  action,
  children,
  onConfirm,
  onClose,
}: {
  readonly title: string;
  /** What has to be typed. */
  readonly name: string;
  /** What that is: «slug», «handle». */
  readonly what: string;
  readonly action: string;
  readonly children: ReactNode;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const { run, busy, failure } = useAction(async () => {
    if (typed.trim() !== name) return setWrong(true);
    await onConfirm();
    onClose();
  });
  return (
    <FormDialog
      title={title}
      action={action}
      danger
      busy={busy}
      failure={failure?.text}
      onSubmit={run}
      onClose={onClose}
    >
      <div className="stack stack--tight">{children}</div>
      <Field
        label={`Type its ${what}, ${name}, to go on`}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        problem={isWrong && typed.trim() !== name ? `Type ${name}.` : undefined}
        onChange={({ target }) => setTyped(target.value)}
      />
    </FormDialog>
  );
}
