import type { ComponentProps } from 'preact/compat';
import { Field } from './field.tsx';

/** A field for an e-mail address. `autoComplete` tells password managers what it is for. */
export function EmailField(field: Partial<ComponentProps<typeof Field>> & { autoComplete: string }) {
  return (
    <Field
      label="E-mail address"
      name="email"
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellcheck={false}
      required
      {...field}
    />
  );
}
