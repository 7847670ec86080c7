import { minPasswordLength } from '@spaceport/contract/sign-in';
import { useState } from 'preact/compat';
import { countCharacters } from './counted.ts';
import { PasswordField } from './password-field.tsx';

/** A field for a new password, with the rule and whether it is long enough. */
export function NewPasswordField({
  label,
  advice,
  problem,
}: {
  label: string;
  /** Further advice after the rule. */
  advice: string;
  problem: string | undefined;
}) {
  const [length, setLength] = useState(0);
  const missing = minPasswordLength - length;
  const rule =
    length === 0
      ? `At least ${minPasswordLength} characters.`
      : missing > 0
        ? `${missing} more ${missing === 1 ? 'character' : 'characters'}.`
        : 'Long enough.';
  return (
    <PasswordField
      label={label}
      name="password"
      autoComplete="new-password"
      hint={`${rule} ${advice}`}
      problem={problem}
      onChange={({ currentTarget }) => setLength(countCharacters(currentTarget.value))}
    />
  );
}
