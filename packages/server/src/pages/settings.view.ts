import { minPasswordLength } from '../accounts/credentials.ts';
import type { ListedPasskey } from '../accounts/passkeys.ts';
import type { Session } from '../accounts/sign-in/sessions.ts';
import type { ListedToken } from '../accounts/tokens.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import { passkeyScript } from './assets.ts';
import { emptyForm, type FormState, field, formProblem, hidden } from './forms.ts';
import { type Html, html } from './html.ts';
import type { PageDocument } from './page-scope.ts';

export interface SettingsForms {
  readonly name: FormState;
  readonly email: FormState;
  readonly password: FormState;
}

export interface SettingsView {
  readonly session: Session;
  readonly tokens: readonly ListedToken[];
  readonly passkeys: readonly ListedPasskey[];
  /** What was just done, by its name. */
  readonly done: string | undefined;
  readonly forms: SettingsForms;
}

const doneTexts = new Map([
  ['saved', 'Your name is changed.'],
  ['sent', 'A link is on its way to you.'],
  ['address', 'A link is on its way to the new address. It is yours once you followed the link.'],
  ['password', 'Your password is changed. Every other browser was signed out.'],
  ['revoked', 'The token is revoked.'],
  ['removed', 'The passkey is removed.'],
  ['passkey', 'The passkey is added. You can sign in with it from now on.'],
  ['ended', 'Every other browser was signed out.'],
]);

export function settingsPage(view: SettingsView): PageDocument {
  const { session, tokens, passkeys, done, forms } = view;
  const doneText = done === undefined ? undefined : doneTexts.get(done);
  return {
    title: 'Settings',
    wide: true,
    scripts: [passkeyScript.address],
    body: html`<h1>Settings</h1>
${doneText !== undefined && html`<p class="notice good" role="status">${doneText}</p>`}
${profile(session, forms.name)}
${email(session, forms.email)}
${tokenList(tokens)}
${password(forms.password)}
${passkeyList(passkeys)}
${browsers}`,
  };
}

function profile({ creator }: Session, form: FormState): Html {
  const shown = form.values.name === undefined ? { ...form, values: { name: creator.name } } : form;
  return html`<section class="card" aria-labelledby="profile"><h2 id="profile">Profile</h2>
${creator.handle === null ? html`<p>You have no handle yet. <a href="/handle?next=/settings">Choose one</a> before you publish.</p>` : html`<p>Your handle is <strong>@${creator.handle}</strong>.</p>`}
<form method="post" action="/settings/name">
${formProblem(form)}
${field(shown, { name: 'name', label: 'Name', autocomplete: 'name', maxLength: 60 })}
<button class="plain" type="submit">Change the name</button>
</form></section>`;
}

function email({ email: address, emailVerified }: Session, form: FormState): Html {
  return html`<section class="card" aria-labelledby="mail"><h2 id="mail">E-mail</h2>
<p>${address} <span class="quiet">(${emailVerified ? 'confirmed' : 'not confirmed'})</span></p>
${
  !emailVerified &&
  html`<form method="post" action="/verify/send"><button class="plain" type="submit">Send the link again</button></form>`
}
<form method="post" action="/settings/email">
${formProblem(form)}
${field(form, { name: 'email', label: 'New e-mail address', type: 'email', autocomplete: 'email', maxLength: 254 })}
${field(form, {
  name: 'password',
  id: 'email-password',
  label: 'Your password',
  type: 'password',
  autocomplete: 'current-password',
  hint: 'We send a link to the new address, and tell the old one when it has changed.',
})}
<button class="plain" type="submit">Change the address</button>
</form></section>`;
}

function tokenList(tokens: readonly ListedToken[]): Html {
  return html`<section class="card" aria-labelledby="tokens"><h2 id="tokens">API tokens</h2>
<p class="quiet">Each of these can publish in your name. Revoke those that you do not know or no longer use.</p>
${
  tokens.length === 0
    ? html`<p>There are none. <code>npx spaceport login</code> makes one.</p>`
    : html`<ul class="rows">${tokens.map(tokenRow)}</ul>`
}</section>`;
}

function tokenRow({ id, clientName, createdAt, expiresAt, lastUsedAt }: ListedToken): Html {
  const name = clientName ?? 'A program that gave no name';
  return html`<li><div><strong>${name}</strong><br>
<span class="quiet">made ${day(createdAt)}, ${lastUsedAt === null ? 'never used' : html`last used ${day(lastUsedAt)}`}, ends ${day(expiresAt)}</span></div>
<form method="post" action="/settings/tokens/revoke">${hidden('id', id)}
<button class="plain small" type="submit" aria-label="Revoke ${name}">Revoke</button></form></li>`;
}

function password(form: FormState): Html {
  return html`<section class="card" aria-labelledby="password-title"><h2 id="password-title">Password</h2>
<form method="post" action="/settings/password">
${formProblem(form)}
${field(form, { name: 'current', label: 'Current password', type: 'password', autocomplete: 'current-password' })}
${field(form, {
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  minLength: minPasswordLength,
  hint: `At least ${minPasswordLength} characters.`,
})}
<button class="plain" type="submit">Change the password</button>
</form></section>`;
}

/** Making one needs a script: passkeys.js shows the form. */
function passkeyList(passkeys: readonly ListedPasskey[]): Html {
  return html`<section class="card" aria-labelledby="passkeys"><h2 id="passkeys">Passkeys</h2>
${
  passkeys.length === 0
    ? html`<p>There are none.</p>`
    : html`<ul class="rows">${passkeys.map(passkeyRow)}</ul>`
}
<form id="passkey-add" hidden>
${field(emptyForm, {
  name: 'passkey_name',
  label: 'Name of a new passkey',
  autocomplete: 'off',
  maxLength: 60,
  hint: 'So that you know it again: the device it is on, for example.',
  isOptional: true,
})}
<p class="error" role="alert"></p>
<button class="plain" type="submit">Add a passkey</button>
</form></section>`;
}

function passkeyRow({ id, name, createdAt }: ListedPasskey): Html {
  const shown = name ?? 'Passkey';
  return html`<li><div><strong>${shown}</strong>${createdAt !== null && html`<br><span class="quiet">made ${day(createdAt)}</span>`}</div>
<form method="post" action="/settings/passkeys/remove">${hidden('id', id)}
<button class="plain small" type="submit" aria-label="Remove ${shown}">Remove</button></form></li>`;
}

const browsers = html`<section class="card" aria-labelledby="browsers"><h2 id="browsers">Browsers</h2>
<p>Lost one, or used somebody else’s?</p>
<form method="post" action="/settings/sessions/end"><button class="plain" type="submit">Sign out every other browser</button></form>
</section>`;

function day(instant: number): Html {
  const at = toTimestamp(instant);
  return html`<time datetime="${at}">${at.slice(0, 10)}</time>`;
}
