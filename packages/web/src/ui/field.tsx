import type {
  ClassAttributes,
  InputHTMLAttributes,
  PartialInputHTMLAttributes,
  PartialSelectHTMLAttributes,
} from 'preact';
import type { ReactNode, TextareaHTMLAttributes } from 'preact/compat';
import { useElementId } from '../app/element-id.tsx';

/** The attributes of an input without a role. Preact's own type has a shape for each type and role. */
type Input<Type extends string> = Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'type' | 'role'> &
  ClassAttributes<HTMLInputElement> & { type?: Type };

export type TextInput = Input<'text' | 'email' | 'url' | 'password' | 'datetime-local'>;

export type SelectInput = Omit<PartialSelectHTMLAttributes<HTMLSelectElement>, 'size' | 'role'>;

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
  const id = useElementId();
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
export function Field({ label, hint, problem, ...input }: Labels & TextInput) {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(control) => {
        // TypeScript cannot choose a shape for a type that is only known to be one of several.
        const attributes = { type: 'text', ...input, ...control } as InputHTMLAttributes;
        return <input {...attributes} />;
      }}
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
}: Labels & { options: Options } & SelectInput) {
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
export function Check({ label, hint, ...input }: Omit<Labels, 'problem'> & Input<'checkbox' | 'radio'>) {
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
