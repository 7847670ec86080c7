import { type Scope, scopes, scopeWords } from '@spaceport/contract/scopes';
import { type Html, html } from './html.ts';

/** Boxes to tick: what a token is to be for, in words. `chosenScopes` reads what was sent. */
export function scopeChoice(offered: readonly Scope[], ticked: readonly Scope[]): Html {
  return html`<fieldset class="stack"><legend class="label">What it may do</legend>
${offered.map((scope) => {
  const { title, detail } = scopeWords[scope];
  return html`<label class="check"><input type="checkbox" name="scope_${scope}"${ticked.includes(scope) && html` checked`}> <span>${title}<span class="hint">${detail}</span></span></label>\n`;
})}</fieldset>`;
}

/** The boxes of a form that were ticked. */
export function chosenScopes(form: Readonly<Record<string, string>>): Scope[] {
  return scopes.filter((scope) => form[`scope_${scope}`] !== undefined);
}
