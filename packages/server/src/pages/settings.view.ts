import { minPasswordLength } from '@spaceport/contract/sign-in';
import type { ListedPasskey } from '../accounts/passkeys.ts';
import type { Session } from '../accounts/sign-in/sessions.ts';
import { emptyForm, type FormState, field, formProblem, hidden } from './forms.ts';
import { type Html, html } from './html.ts';
import type { PageDocument } from './page-scope.ts';
import { asking, day, scopesOf, type TokensView, tokenList } from './settings-tokens.view.ts';

export interface SettingsForms {
  readonly name: FormState;
  readonly email: FormState;
  readonly password: FormState;
  readonly token: FormState;
}

export interface SettingsView {
  readonly session: Session;
  readonly tokens: Pick<TokensView, 'tokens' | 'choice' | 'made'>;
  readonly passkeys: readonly ListedPasskey[];
  /** What was just done, as a sentence. */
  readonly done: string | null;
  readonly forms: SettingsForms;
}

/** What a form has done, by its name in the address where it leads back. */
export const doneTexts: ReadonlyMap<string, string> = new Map([
  ['saved', 'Your name is changed.'],
  ['sent', 'A link is on its way to you.'],
  ['address', 'A link is on its way to the new address. It is yours once you followed the link.'],
  ['password', 'Your password is changed. Every other browser was signed out.'],
  ['narrowed', 'The token may do less from now on.'],
  ['revoked', 'The token is revoked.'],
  ['removed', 'The passkey is removed.'],
  ['ended', 'Every other browser was signed out.'],
]);

/** The page without script, and until the one of packages/web takes over: the same rows, in the same places. */
export function settingsPage(view: SettingsView): PageDocument {
  const { session, tokens, passkeys, done, forms } = view;
  return {
    title: 'Settings',
    wide: true,
    body: html`<h1>Settings</h1>
${done !== null && html`<p class="notice good" role="status">${done}</p>`}
<section class="card" aria-labelledby="account"><h2 id="account">Account</h2>
<div class="settings">
${name(session, forms.name)}
${handle(session)}
${email(session, forms.email)}
${password(forms.password)}
</div></section>
${passkeyList(passkeys)}
${tokenList({ ...tokens, mayGive: scopesOf(session.creator), form: forms.token })}
${browsers}`,
  };
}

/** A row that opens: what it is about, how it stands, and the form that changes it. */
function setting(title: string, value: Html | string, form: FormState, content: Html): Html {
  const isOpen = form !== emptyForm;
  return html`<details class="setting"${isOpen && html` open`}>
<summary><span class="setting-name">${title}</span> <span class="setting-value">${value}</span> <span class="setting-do">Change</span></summary>
${content}</details>`;
}

function name({ creator }: Session, form: FormState): Html {
  const shown = form.values.name === undefined ? { ...form, values: { name: creator.name } } : form;
  return setting(
    'Name',
    creator.name,
    form,
    html`<form method="post" action="/settings/name">
${formProblem(form)}
${field(shown, { name: 'name', label: 'Name', autocomplete: 'name', maxLength: 60 })}
<button type="submit">Save the name</button>
</form>`,
  );
}

function handle({ creator }: Session): Html {
  const value =
    creator.handle === null
      ? html`You have no handle yet. <a href="/handle?next=/settings">Choose one</a> before you publish.`
      : html`<a href="/@${creator.handle}">@${creator.handle}</a>`;
  return html`<div class="setting"><div class="setting-line"><span class="setting-name">Handle</span> <span class="setting-value">${value}</span></div></div>`;
}

function email({ email: address, emailVerified }: Session, form: FormState): Html {
  const badge = emailVerified
    ? html`<span class="badge badge--good">confirmed</span>`
    : html`<span class="badge badge--warn">not confirmed</span>`;
  return html`${setting(
    'E-mail',
    html`${address} ${badge}`,
    form,
    html`<form method="post" action="/settings/email">
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
<button type="submit">Change the address</button>
</form>`,
  )}
${
  !emailVerified &&
  html`<form class="setting-more row" method="post" action="/verify/send"><span class="quiet small">Follow the link in our message to it.</span> <button class="plain small" type="submit">Send the link again</button></form>`
}`;
}

function password(form: FormState): Html {
  return setting(
    'Password',
    'Known to you alone',
    form,
    html`<form method="post" action="/settings/password">
${formProblem(form)}
${field(form, { name: 'current', label: 'Current password', type: 'password', autocomplete: 'current-password' })}
${field(form, {
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  minLength: minPasswordLength,
  hint: `At least ${minPasswordLength} characters. Every other browser will be signed out.`,
})}
<button type="submit">Change the password</button>
</form>`,
  );
}

/** Making one takes script: its button holds the place of the one that works. */
function passkeyList(passkeys: readonly ListedPasskey[]): Html {
  return html`<section class="card" aria-labelledby="passkeys"><div class="card-head"><h2 id="passkeys">Passkeys</h2>
<button class="plain small script-only" type="button" disabled>Add a passkey</button></div>
<p class="quiet">Sign in with your fingerprint, your face or the code of your device, without a password.</p>
${
  passkeys.length === 0
    ? html`<p class="quiet">There are none yet.</p>`
    : html`<ul class="rows">${passkeys.map(passkeyRow)}</ul>`
}</section>`;
}

function passkeyRow({ id, name: given, createdAt }: ListedPasskey): Html {
  const shown = given ?? 'Passkey';
  return html`<li><div><strong>${shown}</strong>${createdAt !== null && html`<br><span class="quiet small">made ${day(createdAt)}</span>`}</div>
${asking(
  'Remove',
  html`<form method="post" action="/settings/passkeys/remove">${hidden('id', id)}
<p class="small">It signs nobody in from now on, and cannot be brought back. Your password goes on working.</p>
<button class="button--danger small" type="submit">Remove ${shown}</button></form>`,
)}</li>`;
}

const browsers = html`<section class="card" aria-labelledby="browsers"><h2 id="browsers">Browsers</h2>
<p class="quiet">Where you are signed in. Lost one, or used somebody else’s? Sign it out.</p>
<form method="post" action="/settings/sessions/end"><button class="plain" type="submit">Sign out every other browser</button></form>
</section>`;
