import { useRef, useState } from 'preact/compat';
import { useElementId } from '../app/element-id.tsx';
import { classNames } from './class-names.ts';
import { countCharacters } from './counted.ts';
import { Icon } from './icon.tsx';

/** A short list of names as removable chips. Enter or a comma adds the typed name. */
export function ChipsField({
  label,
  hint,
  problem,
  values,
  max,
  maxCharacters,
  onChange,
}: {
  label: string;
  hint?: string;
  problem?: string | undefined;
  values: readonly string[];
  /** Most names, and the longest length of each. */
  max: number;
  maxCharacters: number;
  onChange: (values: string[]) => void;
}) {
  const id = useElementId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const isTooLong = countCharacters(typed) > maxCharacters;
  const shownProblem = isTooLong ? `At most ${maxCharacters} characters each.` : problem;
  const add = () => {
    const names = typed
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (names.length === 0 || isTooLong) return;
    onChange([...new Set([...values, ...names])].slice(0, max));
    setTyped('');
  };
  const remove = (value: string) => {
    onChange(values.filter((each) => each !== value));
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The key is for the input method: Enter takes what it offers. Safari says so by the code alone.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault();
      add();
    }
    const last = values.at(-1);
    if (event.key === 'Backspace' && typed === '' && last !== undefined) remove(last);
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={classNames('chips', shownProblem && 'chips--wrong')}>
        {values.map((value) => (
          <span key={value} className="chip">
            {value}
            <button type="button" aria-label={`Remove ${value}`} onClick={() => remove(value)}>
              <Icon name="close" />
            </button>
          </span>
        ))}
        <input
          ref={input}
          id={id}
          type="text"
          value={typed}
          disabled={values.length >= max}
          placeholder={values.length >= max ? `${max} at most` : 'Add…'}
          aria-describedby={`${id}-notes`}
          aria-invalid={shownProblem ? true : undefined}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={add}
        />
      </div>
      <div id={`${id}-notes`} className="field-notes">
        {shownProblem && <p className="error">{shownProblem}</p>}
        {hint && <p className="hint">{hint}</p>}
      </div>
    </div>
  );
}
