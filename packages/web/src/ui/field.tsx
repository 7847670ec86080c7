import {
  type ComponentProps,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

interface Labels {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** The problem of the value, and what to do about it. */
  readonly problem?: string | undefined;
}

/** A label, a control, a hint and a problem, associated for screen readers. */
function Labelled({
  label,
  hint,
  problem,
  children,
}: Labels & {
  children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}) {
  const id = useId();
  const notes = [problem && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(notes === '' ? {} : { 'aria-describedby': notes }),
        ...(problem ? { 'aria-invalid': true as const } : {}),
      })}
      {problem && (
        <p className="error" id={`${id}-error`}>
          {problem}
        </p>
      )}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** One line of text. */
export function Field({ label, hint, problem, ...input }: Labels & ComponentProps<'input'>) {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(control) => <input type="text" {...input} {...control} />}
    </Labelled>
  );
}

/** Several lines of text. */
export function TextArea({
  label,
  hint,
  problem,
  ...area
}: Labels & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(control) => <textarea {...area} {...control} />}
    </Labelled>
  );
}

/** Value and text of each option, with a hint for visible lists. */
export type Options = readonly (readonly [value: string, text: string, hint?: string])[];

/** A select. */
export function Select({
  label,
  hint,
  problem,
  options,
  ...select
}: Labels & { options: Options } & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(control) => (
        <select {...select} {...control}>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** A checkbox, or with `type="radio"` a radio button. */
export function Check({
  label,
  hint,
  ...input
}: Omit<Labels, 'problem'> & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="check">
      <input type="checkbox" {...input} />
      <span>
        {label}
        {hint && <span className="hint">{hint}</span>}
      </span>
    </label>
  );
}
