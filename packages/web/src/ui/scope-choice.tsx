import { type Scope, scopeWords } from '@spaceport/contract/scopes';
import { Check } from './field.tsx';

/** Boxes to tick: what a token is to be for, in words. */
export function ScopeChoice({
  offered,
  chosen,
  problem,
  onChange,
}: {
  offered: readonly Scope[];
  chosen: readonly Scope[];
  problem?: string | null | undefined;
  onChange: (chosen: Scope[]) => void;
}) {
  return (
    <fieldset className="stack">
      <legend className="label">What it may do</legend>
      {offered.map((scope) => (
        <Check
          key={scope}
          name={`scope_${scope}`}
          label={scopeWords[scope].title}
          hint={scopeWords[scope].detail}
          checked={chosen.includes(scope)}
          onChange={({ currentTarget }) =>
            onChange(offered.filter((one) => (one === scope ? currentTarget.checked : chosen.includes(one))))
          }
        />
      ))}
      {problem && <p className="error">{problem}</p>}
    </fieldset>
  );
}
