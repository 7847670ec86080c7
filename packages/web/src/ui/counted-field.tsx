import { countCharacters, tooLong } from './counted.ts';
import { Field, TextArea } from './field.tsx';
import './space-fields.css';

/** A text field with a limited length, which shows how much of it is used. */
export function Counted({
  name,
  label,
  hint,
  lines = false,
  value,
  max,
  problem,
  onChange,
}: {
  name?: string;
  label: string;
  hint?: string;
  /** Several lines. */
  lines?: boolean;
  value: string;
  max: number;
  problem?: string | undefined;
  onChange: (value: string) => void;
}) {
  const Control = lines ? TextArea : Field;
  return (
    <Control
      name={name}
      label={label}
      value={value}
      problem={tooLong(value, max) ?? problem}
      hint={
        <span className="counted">
          <span>{hint}</span>
          <span className="number">
            {countCharacters(value).toLocaleString('en')} of {max.toLocaleString('en')}
          </span>
        </span>
      }
      onChange={({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value)}
    />
  );
}
