import { type Scope, scopes } from '@spaceport/contract/scopes';

/** The boxes of a form that were ticked: packages/web/src/ui/scope-choice.tsx names them. */
export function chosenScopes(form: Readonly<Record<string, string>>): Scope[] {
  return scopes.filter((scope) => form[`scope_${scope}`] !== undefined);
}
