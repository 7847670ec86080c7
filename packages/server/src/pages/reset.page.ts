import { minPasswordLength } from '@spaceport/contract/sign-in';
import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import { emptyForm, type FormState, field, formProblem, hidden } from './forms.ts';
import { html } from './html.ts';
import { type PageDocument, type PageScope, visitOf } from './page-scope.ts';
import { shownAgain } from './shown-again.ts';

/** /reset asks for a link by mail; /reset/new is where the link leads. */
export function mountReset(scope: PageScope, { signIn }: { signIn: SignIn }): void {
  scope.get('/reset', async () => ({ ...askPage(emptyForm), client: { page: 'reset', data: null } }));

  scope.post('/reset', async ({ request, form }) => {
    const { email = '' } = form;
    return shownAgain(
      async () => {
        await signIn.requestReset(email, visitOf(request));
        return sentPage(email);
      },
      { values: { email }, fields: ['email'] },
      askPage,
    );
  });

  scope.get('/reset/new', async ({ query: { token = '' } }) => ({
    ...newPasswordPage(emptyForm, token),
    client: { page: 'new-password', data: { token } },
  }));

  scope.post('/reset/new', async ({ form }) => {
    const { token = '', password = '' } = form;
    return shownAgain(
      async () => {
        await signIn.reset(token, password);
        return { redirect: '/sign-in?done=reset' };
      },
      { values: {}, fields: ['password'] },
      (state) => newPasswordPage(state, token),
    );
  });
}

function askPage(form: FormState): PageDocument {
  return {
    title: 'Forgot your password',
    body: html`<h1>Forgot your password?</h1>
<form class="card" method="post" action="/reset">
${formProblem(form)}
${field(form, {
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  autocomplete: 'username',
  hint: 'We send a link that lets you choose a new password.',
})}
<button class="whole" type="submit">Send the link</button>
</form>
<p class="below"><a href="/sign-in">Back to signing in</a></p>`,
  };
}

function sentPage(email: string): PageDocument {
  return {
    title: 'Look into your mail',
    body: html`<h1>Look into your mail</h1>
<div class="card"><p role="status">If there is an account for ${email}, a link is on its way. It works for an hour.</p></div>`,
  };
}

function newPasswordPage(form: FormState, token: string): PageDocument {
  return {
    title: 'Choose a new password',
    body: html`<h1>Choose a new password</h1>
<form class="card" method="post" action="/reset/new">
${formProblem(form)}
${field(form, {
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  minLength: minPasswordLength,
  hint: `At least ${minPasswordLength} characters. Every browser that is signed in will be signed out.`,
})}
${hidden('token', token)}
<button class="whole" type="submit">Change the password</button>
</form>`,
  };
}
