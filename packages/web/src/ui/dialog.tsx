import { type ReactNode, useLayoutEffect, useRef } from 'preact/compat';
import { useElementId } from '../app/element-id.tsx';
import { useAction } from '../data/use-action.ts';
import { useIsThere } from '../data/use-is-there.ts';
import { coverPage } from './away-from-page.ts';
import { Button, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { handBackKeys } from './game-keys.ts';
import { FailureText } from './refusal.tsx';
import { Notice } from './surfaces.tsx';

export interface DialogProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** Whether it shows what is shown only once. A press beside it, which may be a slip, does not close it then. */
  readonly once?: boolean;
  /** Buttons at the bottom; the confirming one is the last. */
  readonly actions?: ReactNode;
  /** Makes the dialog a form. Called when the form is submitted. */
  readonly onSubmit?: (form: FormData) => void;
  /** Called with the form's data at every change. */
  readonly onChange?: ((form: FormData) => void) | undefined;
  readonly children: ReactNode;
}

/**
 * A modal dialog, open until it is answered or closed (Escape, its cross, a press beside it unless something
 * was typed or it is shown only once). It is the browser's own element, which traps the focus, restores it, and hides the page from
 * screen readers. Render it only while it is open.
 */
export function Dialog({
  title,
  onClose,
  wide = false,
  once = false,
  actions,
  onSubmit,
  onChange,
  children,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isTyped = useRef(false);
  const isPressedBeside = useRef(false);
  const id = useElementId();
  // A layout effect, because the dialog restores the focus only while it is still in the document.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element && !element.open) {
      element.showModal();
      // showModal focuses the first control, which is the cross.
      element.querySelector<HTMLElement>('form :is(input, textarea, select)')?.focus();
    }
    const uncover = coverPage();
    return () => {
      element?.close();
      uncover();
      handBackKeys();
    };
  }, []);
  const inside = (
    <>
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </div>
      {children}
      {actions && <div className="dialog-actions">{actions}</div>}
    </>
  );
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a press beside it closes it; by keyboard Escape does
    <dialog
      ref={dialog}
      className={classNames('dialog', wide && 'dialog--wide')}
      aria-labelledby={id}
      // A dialog that was closed by its removal says so afterwards, when another may be in its place.
      onClose={() => dialog.current && onClose()}
      // A selection that is drawn from a field to beside the dialog ends in a click there, too.
      onPointerDown={(event) => {
        isPressedBeside.current = event.target === event.currentTarget;
      }}
      onInput={() => {
        isTyped.current = true;
      }}
      onClick={(event) => {
        const isBeside = event.target === event.currentTarget && isPressedBeside.current;
        if (isBeside && !isTyped.current && !once) onClose();
      }}
    >
      {onSubmit ? (
        <form
          noValidate
          onInput={({ currentTarget }) => onChange?.(new FormData(currentTarget))}
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit(new FormData(event.currentTarget));
          }}
        >
          {inside}
        </form>
      ) : (
        <div className="dialog-body">{inside}</div>
      )}
    </dialog>
  );
}

export interface FormDialogProps {
  readonly title: ReactNode;
  readonly wide?: boolean;
  /** Text of the submit button: «Save», «List it». */
  readonly action: ReactNode;
  readonly cancel?: string;
  readonly danger?: boolean;
  readonly busy: boolean;
  /** Why the form was refused. Problems of fields are shown at the fields. */
  readonly failure?: ReactNode;
  readonly onSubmit: (form: FormData) => void;
  readonly onChange?: ((form: FormData) => void) | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form over the page: fields, what went wrong, and two buttons. */
export function FormDialog({
  action,
  cancel = 'Cancel',
  danger = false,
  busy,
  failure,
  children,
  ...dialog
}: FormDialogProps) {
  return (
    <Dialog
      {...dialog}
      actions={
        <>
          <Button variant="quiet" onClick={dialog.onClose}>
            {cancel}
          </Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {failure && <Notice tone="bad">{failure}</Notice>}
    </Dialog>
  );
}

export interface ConfirmDialogProps {
  readonly title: string;
  /** What will be lost, or who is affected and how. */
  readonly children: ReactNode;
  /** The verb on the button: «Revoke», «Roll back to 3». */
  readonly action: string;
  readonly danger?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before an action that cannot be undone. It stays open during the action, and shows a failure. */
export function ConfirmDialog({
  title,
  children,
  action,
  danger = true,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const isThere = useIsThere();
  const { run, busy, failure } = useAction(async () => {
    await onConfirm();
    if (isThere()) onClose();
  });
  return (
    <FormDialog
      title={title}
      action={action}
      danger={danger}
      busy={busy}
      failure={failure && <FailureText failure={failure} />}
      onSubmit={() => run()}
      onClose={onClose}
    >
      <div>{children}</div>
    </FormDialog>
  );
}
