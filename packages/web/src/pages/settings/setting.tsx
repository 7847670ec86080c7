import { type ReactNode, useRef, useState } from 'react';
import { carriedFocus, carriedValue } from '../../app/carry-over.ts';

/** A row that opens: what it is about, how it stands, and the form that changes it. The document's own looks the same. */
export function Setting({
  name,
  value,
  firstField,
  children,
}: {
  name: string;
  value: ReactNode;
  /** Of its form: where somebody was typing there before the page took over, it is open. */
  firstField: string;
  /** The form; `close` puts it away again once it has done its work. */
  children: (close: () => void) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(() => carriedFocus(firstField) || carriedValue(firstField) !== '');
  const line = useRef<HTMLElement>(null);
  const close = () => {
    setOpen(false);
    line.current?.focus();
  };
  return (
    <details className="setting" open={isOpen} onToggle={({ newState }) => setOpen(newState === 'open')}>
      <summary ref={line}>
        <span className="setting-name">{name}</span> <span className="setting-value">{value}</span>{' '}
        <span className="setting-do">Change</span>
      </summary>
      {isOpen && children(close)}
    </details>
  );
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
