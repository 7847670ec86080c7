import type { ReactNode } from 'preact/compat';
import { BrowserForm } from '../../ui/browser-form.tsx';
import { Button } from '../../ui/button.tsx';

/**
 * A button that asks for confirmation before its form is sent, with script and without. `of` is what a screen
 * reader adds to the button where there are several.
 */
export function Asking({ action, of, children }: { action: string; of?: string; children: ReactNode }) {
  return (
    <details className="me-asking">
      <summary className="button button--plain button--small">
        {action}…{of !== undefined && <span className="said"> {of}</span>}
      </summary>
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
    <BrowserForm action={to}>
      {Object.entries(fields).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      <Button type="submit" variant={variant} size="small">
        {name}
      </Button>
    </BrowserForm>
  );
}
