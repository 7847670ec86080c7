import type { RefusedSetting, ShownForm } from '@spaceport/contract/first-data';
import { Fragment, type ReactNode, useRef, useState } from 'react';

/** What the form of a row is given. */
export interface SettingForm {
  /** As the document brought it along; null once it was put away. */
  readonly shown: ShownForm | null;
  /** Puts it away again once it has done its work. */
  readonly close: () => void;
}

/** A row that opens: what it is about, how it stands, and the form that changes it. */
export function Setting({
  name,
  value,
  firstField,
  refused,
  children,
}: {
  name: string;
  value: ReactNode;
  /** Of its form: it takes the focus when the row opens. */
  firstField: string;
  /** Its form as the document shows it again; the row is open then. */
  refused: ShownForm | null;
  children: (form: SettingForm) => ReactNode;
}) {
  // The browser opens and closes it, with script and without; a closed form begins anew.
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

/** The form of that name, where it was refused. */
export function refusedForm(
  refused: RefusedSetting | null,
  setting: RefusedSetting['setting'],
  id: string | null = null,
): ShownForm | null {
  return refused?.setting === setting && refused.id === id ? refused.form : null;
}

/** A row of what stays as it is. */
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

/** Asks once without script: a dialog takes script. */
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
    <noscript>
      <details className="asking" open={isOpen}>
        <summary className="button button--plain button--small">{action}…</summary>
        {children}
      </details>
    </noscript>
  );
}
