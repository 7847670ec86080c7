import { type Scope, scopes } from '@spaceport/contract/scopes';

/** Returns the ticked scopes of a form; packages/web/src/ui/scope-choice.tsx names the boxes. */
export function chosenScopes(form: Readonly<Record<string, string>>): Scope[] {
  return scopes.filter((scope) => form[`scope_${scope}`] !== undefined);
}
