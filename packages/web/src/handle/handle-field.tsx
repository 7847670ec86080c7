import { useEffect, useRef } from 'preact/compat';
import { Field } from '../ui/field.tsx';
import type { HandleState } from './use-handle.ts';

/** What a handle is, above the field. */
export function AboutHandle() {
  return <p>It is the name of your page and stands on everything you publish. It cannot be changed later.</p>;
}

/** The field for a handle; it shows whether the handle is free. */
export function HandleField({ handle, setHandle, problem, hint }: HandleState) {
  const input = useRef<HTMLInputElement>(null);
  // A handle that was typed before script ran is looked up too.
  useEffect(() => setHandle(input.current?.value ?? ''), [setHandle]);
  return (
    <div aria-live="polite">
      <Field
        ref={input}
        label="Handle"
        name="handle"
        autoComplete="nickname"
        autoCapitalize="none"
        spellcheck={false}
        maxLength={25}
        required
        value={handle}
        problem={problem}
        hint={hint}
        onChange={({ currentTarget }) => setHandle(currentTarget.value)}
      />
    </div>
  );
}
