import { type Scope, scopes, scopeWords } from '@spaceport/contract/scopes';
import { useEffect, useRef, useState } from 'preact/compat';
import { CheckGroup } from './check-group.tsx';
import { Check } from './field.tsx';

/** Checkboxes for the scopes of a token. `chosenScopes` reads them. */
export function ScopeChoice({
  offered,
  ticked,
  none,
  problem,
}: {
  offered: readonly Scope[];
  /** The scopes that are ticked at first. */
  ticked: readonly Scope[];
  /** The message if none is ticked. */
  none: string;
  problem?: string | undefined;
}) {
  const boxes = useRef<HTMLFieldSetElement>(null);
  const [isNone, setNone] = useState(ticked.length === 0);
  const look = () => setNone(boxes.current?.querySelector(':checked') === null);
  // The boxes may have been changed before script ran.
  useEffect(look, []);
  return (
    <CheckGroup
      label="What it may do"
      problem={isNone ? none : problem}
      className="stack"
      boxes={boxes}
      onChange={look}
    >
      {(box) =>
        offered.map((scope) => (
          <Check
            key={scope}
            name={nameOf(scope)}
            label={scopeWords[scope].title}
            hint={scopeWords[scope].detail}
            defaultChecked={ticked.includes(scope)}
            {...box}
          />
        ))
      }
    </CheckGroup>
  );
}

/** Returns the ticked scopes of a form. */
export function chosenScopes(form: FormData): Scope[] {
  return scopes.filter((scope) => form.has(nameOf(scope)));
}

function nameOf(scope: Scope): string {
  return `scope_${scope}`;
}
