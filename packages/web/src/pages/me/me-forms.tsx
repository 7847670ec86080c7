import type { ReactNode } from 'preact/compat';
import { Button } from '../../ui/button.tsx';

/** A button that asks for confirmation before its form is sent, with script and without. */
export function Asking({ action, children }: { action: string; children: ReactNode }) {
  return (
    <details className="me-asking">
      <summary className="button button--plain button--small">{action}…</summary>
      {children}
    </details>
  );
}

/** A form with one button, for an action that can be undone. */
export function OneButton({
  to,
  fields,
  name,
  variant = 'plain',
}: {
  to: string;
  fields: Readonly<Record<string, string>>;
  name: string;
  variant?: 'plain' | 'danger';
}) {
  return (
    <form method="post" action={to}>
      {Object.entries(fields).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      <Button type="submit" variant={variant} size="small">
        {name}
      </Button>
    </form>
  );
}
