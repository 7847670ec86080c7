import { type ComponentProps, useState } from 'preact/compat';
import { Field } from './field.tsx';

/**
 * A password field, with a button to show the password. `autoComplete` tells password managers which one it
 * is.
 */
export function PasswordField(field: Omit<ComponentProps<typeof Field>, 'type'> & { autoComplete: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="password-field">
      <Field
        required
        spellcheck={false}
        autoCapitalize="none"
        {...field}
        type={isShown ? 'text' : 'password'}
      />
      <button type="button" className="show-password script-only" onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide' : 'Show'}
        <span className="said"> what was typed</span>
      </button>
    </div>
  );
}
