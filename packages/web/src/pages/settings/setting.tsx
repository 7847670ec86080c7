import type { RefusedSetting, ShownForm } from '@spaceport/contract/first-data';
import { Fragment, type ReactNode, useRef, useState } from 'preact/compat';
import { ElementIds } from '../../app/element-id.tsx';

/** The props of a row's form. */
export interface SettingForm {
  /** The form as the document has it; null after it was closed. */
  readonly shown: ShownForm | null;
  /** Closes the form after its work. */
  readonly close: () => void;
}

/** A row that opens: the setting's name, its value, and the form that changes it. */
export function Setting({
  name,
  value,
  firstField,
  refused,
  children,
}: {
  name: string;
  value: ReactNode;
  /** The form's field that takes the focus when the row opens. */
  firstField: string;
  /** The form that the document shows again after a refusal; then the row is open. */
  refused: ShownForm | null;
  children: (form: SettingForm) => ReactNode;
}) {
  // The browser opens and closes the row, with script and without. A closed form is reset.
  const [turn, setTurn] = useState(0);
  const row = useRef<HTMLDetailsElement>(null);
  const line = useRef<HTMLElement>(null);
  const close = () => {
    row.current?.removeAttribute('open');
    line.current?.focus();
  };
  return (
    <details
      ref={row}
      className="setting"
      open={refused !== null}
      onToggle={({ newState, currentTarget }) => {
        if (newState === 'closed') return setTurn((before) => before + 1);
        if (!currentTarget.querySelector('form')?.contains(document.activeElement))
          currentTarget.querySelector<HTMLElement>(`[name="${firstField}"]`)?.focus();
      }}
    >
      <summary ref={line}>
        <span className="setting-name">{name}</span> <span className="setting-value">{value}</span>{' '}
        <span className="setting-do">Change</span>
      </summary>
      <Fragment key={turn}>{children({ shown: turn === 0 ? refused : null, close })}</Fragment>
    </details>
  );
}

/** Returns the form of that name, if it was refused. */
export function refusedForm(
  refused: RefusedSetting | null,
  setting: RefusedSetting['setting'],
  id: string | null = null,
): ShownForm | null {
  return refused?.setting === setting && refused.id === id ? refused.form : null;
}

/** A row of a setting that cannot be changed. */
export function FixedSetting({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="setting">
      <div className="setting-line">
        <span className="setting-name">{name}</span> <span className="setting-value">{children}</span>
      </div>
    </div>
  );
}

/** The work of a form that only the browser sends. */
export const sentByBrowser = async () => {};

/** Asks for confirmation without script, where a dialog cannot be opened. */
export function AskingWithoutScript({
  action,
  isOpen = false,
  children,
}: {
  action: string;
  isOpen?: boolean;
  children: ReactNode;
}) {
  return (
    // A browser with script does not draw what is in a noscript element.
    <ElementIds>
      <noscript>
        <details className="asking" open={isOpen}>
          <summary className="button button--plain button--small">{action}…</summary>
          {children}
        </details>
      </noscript>
    </ElementIds>
  );
}
