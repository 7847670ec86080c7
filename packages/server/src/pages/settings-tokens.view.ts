import type { TokenChoice } from '@spaceport/contract/first-data';
import { type Scope, scopeWords, usualScopes } from '@spaceport/contract/scopes';
import type { ListedToken } from '../accounts/tokens.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import { type FormState, field, formProblem, hidden } from './forms.ts';
import { type Html, html } from './html.ts';
import { scopeChoice } from './scope-choice.ts';

export interface TokensView {
  readonly tokens: readonly ListedToken[];
  readonly choice: TokenChoice;
  /** What the account may give. */
  readonly mayGive: readonly Scope[];
  /** The form that makes one, as it was sent. */
  readonly form: FormState;
  /** The one that was just made: it is shown once. */
  readonly made: string | null;
}

/** The list of tokens, with a form that makes one and forms that narrow and revoke each. */
export function tokenList({ tokens, choice, mayGive, form, made }: TokensView): Html {
  return html`<section class="card" aria-labelledby="tokens"><h2 id="tokens">API tokens</h2>
<p class="quiet">Each of these can act in your name, as far as it says. Revoke those that you do not know or no longer use.</p>
${made !== null && html`<p class="notice good" role="status">Your new token, which is shown only now: <code>${made}</code></p>`}
${
  tokens.length === 0
    ? html`<p class="quiet">There are none. To sign in from a terminal makes one.</p>`
    : html`<ul class="rows">${tokens.map((token) => tokenRow(token, choice))}</ul>`
}
<details class="asking"${form.problem !== null && html` open`}><summary class="button button--plain button--small">Make a token…</summary>
<form method="post" action="/settings/tokens">
${formProblem(form)}
${field(form, { name: 'name', id: 'token-name', label: 'Name', autocomplete: 'off', maxLength: 80, hint: 'What it is for: a build server, say.' })}
${scopeChoice(mayGive, ['publish'])}
${spaceSelect(choice, 'new')}
<div class="field"><label for="token-days">Ends</label><select id="token-days" name="days">${daysOf(
    choice,
  ).map((days) => html`<option value="${days}">in ${days} days</option>`)}</select></div>
<button type="submit">Make the token</button>
</form></details></section>`;
}

/** The lives to choose from, longest first. */
export function daysOf({ maxDays }: TokenChoice): number[] {
  return [...new Set([maxDays, ...[90, 30, 7].filter((days) => days < maxDays)])];
}

function tokenRow(token: ListedToken, choice: TokenChoice): Html {
  const { id, clientName, createdAt, expiresAt, lastUsedAt, scopes, space } = token;
  const shown = clientName ?? 'A program that gave no name';
  const titles = scopes.map((scope) => scopeWords[scope].title).join(', ');
  return html`<li><div><strong>${shown}</strong><br>
<span class="small">${titles} · ${space === null ? 'all your spaces' : html`${space.slug} alone`}</span><br>
<span class="quiet small">made ${day(createdAt)}, ${lastUsedAt === null ? 'never used' : html`last used ${day(lastUsedAt)}`}, ends ${day(expiresAt)}</span></div>
${asking(
  'Narrow',
  html`<form method="post" action="/settings/tokens/narrow">${hidden('id', id)}
${scopeChoice(scopes, scopes)}
${space === null && spaceSelect(choice, id)}
<button class="small" type="submit">Narrow ${shown}</button></form>`,
)}
${asking(
  'Revoke',
  html`<form method="post" action="/settings/tokens/revoke">${hidden('id', id)}
<p class="small">Whatever uses it is refused at once, and has to sign in again. What it published stays.</p>
<button class="button--danger small" type="submit">Revoke ${shown}</button></form>`,
)}</li>`;
}

function spaceSelect({ spaces }: TokenChoice, id: string): Html {
  return html`<div class="field"><label for="token-space-${id}">For</label><select id="token-space-${id}" name="space"><option value="">all your spaces</option>${spaces.map(
    ({ slug, title }) => html`<option value="${slug}">${title} (${slug}) alone</option>`,
  )}</select></div>`;
}

/** Asks once before what cannot be undone. */
export function asking(action: string, form: Html): Html {
  return html`<details class="asking"><summary class="button button--plain button--small">${action}…</summary>
${form}</details>`;
}

export function day(instant: number): Html {
  const at = toTimestamp(instant);
  return html`<time datetime="${at}">${at.slice(0, 10)}</time>`;
}

/** What an account may give a token. */
export function scopesOf({ operator }: { readonly operator: boolean }): readonly Scope[] {
  return operator ? [...usualScopes, 'operate'] : usualScopes;
}
