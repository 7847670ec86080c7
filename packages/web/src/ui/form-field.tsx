import { type ComponentProps, type ReactNode, useState } from 'preact/compat';
import type { CheckedField, Form } from '../data/use-form.ts';
import { CheckGroup } from './check-group.tsx';
import { Counted } from './counted-field.tsx';
import { Check, Field, type Options, Select, type SelectInput, TextArea, type TextInput } from './field.tsx';
import { textOf } from './form-page.tsx';
import './space-fields.css';

interface Labelled extends CheckedField {
  readonly label: string;
  readonly hint?: ReactNode;
}

/** A field of a form, as data. `defaultValue` is its first value; the sent form has the current one. */
export type FormField = Labelled &
  (
    | ({ readonly is?: 'text' } & Omit<TextInput, keyof Labelled>)
    | ({ readonly is: 'lines' } & Omit<ComponentProps<'textarea'>, keyof Labelled>)
    /** Several lines, with the number of used characters of `max`. */
    | { readonly is: 'counted'; readonly max: number; readonly defaultValue: string }
    /** A select. */
    | ({ readonly is: 'select'; readonly options: Options } & Omit<SelectInput, keyof Labelled>)
    /** Radio buttons. */
    | { readonly is: 'radio'; readonly options: Options; readonly chosen: string }
    /** Checkboxes with one name: `form.getAll(name)`. */
    | { readonly is: 'boxes'; readonly options: Options; readonly ticked: readonly string[] }
    /** One checkbox: `form.has(name)`. */
    | { readonly is: 'box'; readonly defaultChecked: boolean }
  );

/** The fields of a form in order, each with its problem. */
export function FormFields({ fields, at }: { fields: readonly FormField[]; at: Form['at'] }) {
  return fields.map((field) => <OneField key={field.name} field={field} problem={at(field.name)} />);
}

function OneField({
  field: { check: _, ...field },
  problem,
}: {
  field: FormField;
  problem: string | undefined;
}) {
  switch (field.is) {
    case 'lines': {
      const { is: __, ...area } = field;
      return <TextArea {...area} problem={problem} />;
    }
    case 'counted':
      return <CountedLines {...field} problem={problem} />;
    case 'select': {
      const { is: __, ...select } = field;
      return <Select {...select} problem={problem} />;
    }
    case 'box':
      return (
        <Check
          name={field.name}
          label={field.label}
          hint={field.hint}
          defaultChecked={field.defaultChecked}
        />
      );
    case 'radio':
    case 'boxes':
      return (
        <CheckGroup label={field.label} hint={field.hint} problem={problem}>
          {(box) => (
            <div className={field.is === 'boxes' ? 'check-row' : undefined}>
              {field.options.map(([value, label, hint]) => (
                <Check
                  key={value}
                  type={field.is === 'radio' ? 'radio' : 'checkbox'}
                  name={field.name}
                  value={value}
                  label={label}
                  hint={hint}
                  defaultChecked={
                    field.is === 'radio' ? field.chosen === value : field.ticked.includes(value)
                  }
                  {...box}
                />
              ))}
            </div>
          )}
        </CheckGroup>
      );
    default: {
      const { is: __, ...input } = field;
      return <Field {...input} problem={problem} />;
    }
  }
}

function CountedLines({
  name,
  label,
  max,
  defaultValue,
  problem,
}: {
  name: string;
  label: string;
  max: number;
  defaultValue: string;
  problem: string | undefined;
}) {
  const [value, setValue] = useState(defaultValue);
  return (
    <Counted name={name} label={label} lines max={max} value={value} problem={problem} onChange={setValue} />
  );
}

/** A check that a field is not empty; `sentence` is its problem. */
export const filledIn = (sentence: string) => (typed: string) => (typed === '' ? sentence : undefined);

/** A check for a number. JSON has no NaN, so anything else could not be sent to the service. */
export const number = (typed: string) => (Number.isFinite(Number(typed)) ? undefined : 'Write a number.');

/** A check that the exact name was typed, so that nobody deletes the wrong thing. */
export const exactly = (name: string) => (typed: string) =>
  typed.replace(/^@/u, '') === name ? undefined : `Type ${name}.`;

export const notAmong = (taken: readonly string[], sentence: string) => (typed: string) =>
  taken.includes(typed) ? sentence : undefined;

/** Returns the trimmed text of a field; null if it is empty. */
export function givenOf(form: FormData, name: string): string | null {
  const typed = textOf(form, name).trim();
  return typed === '' ? null : typed;
}

/** Returns the number in a field; null if it is empty. */
export function numberOf(form: FormData, name: string): number | null {
  const typed = givenOf(form, name);
  return typed === null ? null : Number(typed);
}

/** Returns the value of a `select` or `radio` whose options are exactly the values of this type. */
export function chosenOf<Value extends string>(form: FormData, name: string): Value {
  return textOf(form, name) as Value;
}

/** Returns the ticked boxes, whose options are exactly the values of this type. */
export function tickedOf<Value extends string>(form: FormData, name: string): Value[] {
  return form.getAll(name) as Value[];
}
