import type { RefObject } from 'preact';
import type { ReactNode } from 'preact/compat';
import { useElementId } from '../app/element-id.tsx';

/**
 * Checkboxes or radio buttons under one label. Their problem is said when it appears, and again at each of them, of
 * which the first takes the focus when the form was refused (data/use-focus-on-problem.ts).
 */
export function CheckGroup({
  label,
  hint,
  problem,
  className = 'field',
  boxes,
  onChange,
  children,
}: {
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
  className?: string;
  boxes?: RefObject<HTMLFieldSetElement | null>;
  onChange?: () => void;
  /** Gets the attributes of each box. */
  children: (box: { readonly 'aria-invalid'?: true }) => ReactNode;
}) {
  const id = useElementId();
  const notes = [problem && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <fieldset
      ref={boxes}
      className={className}
      aria-describedby={notes === '' ? undefined : notes}
      onChange={onChange}
    >
      <legend className="label">{label}</legend>
      {children(problem ? { 'aria-invalid': true } : {})}
      {problem && (
        <p className="error" role="alert" id={`${id}-error`}>
          {problem}
        </p>
      )}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}
