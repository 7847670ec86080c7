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
  const isTooLong = namesIn(typed).some((name) => countCharacters(name) > maxCharacters);
  const isFull = values.length >= max;
  const tooMuch = isTooLong
    ? `At most ${maxCharacters} characters each.`
    : isFull && typed !== ''
      ? `At most ${max}: remove one to add another.`
      : undefined;
  const shownProblem = tooMuch ?? problem;
  /** Adds the names in `text`, and leaves `rest` in the field, and before it the names that do not fit. */
  const add = (text: string, rest = '') => {
    const all = [...new Set([...values, ...namesIn(text)])];
    const end = Math.max(max, values.length);
    if (all.length > values.length && !isFull) onChange(all.slice(0, end));
    setTyped([...all.slice(end), ...(rest === '' ? [] : [rest])].join(', '));
  };
  const addTyped = () => {
    if (!isTooLong) add(typed);
  };
  const onTyped = (text: string, isComposing: boolean) => {
    const end = text.lastIndexOf(',');
    const names = namesIn(text.slice(0, end + 1));
    const isList = names.length > 0 && names.every((name) => countCharacters(name) <= maxCharacters);
    // The keyboards of phones name no keys, and a whole list may be pasted.
    if (isList && !isComposing) add(text.slice(0, end), text.slice(end + 1).trimStart());
    else setTyped(text);
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
      addTyped();
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
          // Not disabled: it would lose the focus, and nothing would say why nothing can be added.
          readOnly={isFull && typed === ''}
          placeholder={isFull ? `${max} at most` : 'Add…'}
          aria-describedby={`${id}-notes`}
          aria-invalid={shownProblem ? true : undefined}
          onInput={({ currentTarget, isComposing }) => onTyped(currentTarget.value, isComposing)}
          onKeyDown={onKeyDown}
          onBlur={addTyped}
        />
      </div>
      <div id={`${id}-notes`} className="field-notes">
        {shownProblem && <p className="error">{shownProblem}</p>}
        {hint && <p className="hint">{hint}</p>}
      </div>
    </div>
  );
}

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
