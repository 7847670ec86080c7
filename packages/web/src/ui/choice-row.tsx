/** A few choices beside each other, one of which is chosen. Screen readers read `label`. */
export function ChoiceRow<Value extends string>({
  label,
  choices,
  chosen,
  onChoose,
}: {
  label: string;
  choices: readonly (readonly [value: Value, text: string])[];
  chosen: Value;
  onChoose: (value: Value) => void;
}) {
  return (
    <fieldset className="choice-row">
      <legend className="said">{label}</legend>
      {choices.map(([value, text]) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}
