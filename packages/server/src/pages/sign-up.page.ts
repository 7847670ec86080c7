import { minPasswordLength } from '@spaceport/contract/sign-in';
import { parseName } from '../accounts/person-name.ts';
import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import { emptyForm, type FormState, field, formProblem, hidden } from './forms.ts';
import { html } from './html.ts';
import { ownPath, pathWith } from './next-path.ts';
import { type PageDocument, type PageScope, visitOf } from './page-scope.ts';
import { shownAgain } from './shown-again.ts';

/** /sign-up: makes an account; the next page asks for its handle. */
export function mountSignUp(scope: PageScope, { signIn }: { signIn: SignIn }): void {
  scope.get('/sign-up', async ({ session, query }) => {
    const next = ownPath(query.next, '/settings');
    if (session) return { redirect: next };
    return { ...signUpPage(emptyForm, next), client: { page: 'sign-up', data: { next } } };
  });

  scope.post('/sign-up', async ({ request, form }) => {
    const { name = '', email = '', password = '' } = form;
    const next = ownPath(form.next, '/settings');
    return shownAgain(
      async () => {
        const cookies = await signIn.signUp({ name: parseName(name), email, password }, visitOf(request));
        return { redirect: pathWith('/handle', { next }), cookies };
      },
      { values: { name, email }, fields: ['name', 'email', 'password'] },
      (state) => signUpPage(state, next),
    );
  });
}

function signUpPage(form: FormState, next: string): PageDocument {
  return {
    title: 'Sign up',
    body: html`<h1>Make an account</h1>
<form class="card" method="post" action="/sign-up">
${formProblem(form)}
${field(form, {
  name: 'name',
  label: 'Your name',
  autocomplete: 'name',
  maxLength: 60,
  hint: 'As players will see it beside your handle.',
})}
${field(form, { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email' })}
${field(form, {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  minLength: minPasswordLength,
  hint: `At least ${minPasswordLength} characters. A few words are better than a few signs.`,
})}
${hidden('next', next)}
<button class="whole" type="submit">Make the account</button>
</form>
<p class="below">Have one already? <a href="${pathWith('/sign-in', { next })}">Sign in</a></p>`,
  };
}
