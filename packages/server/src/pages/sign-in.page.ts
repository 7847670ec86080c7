import type { Sessions } from '../accounts/sign-in/sessions.ts';
import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import { emptyForm, type FormState, field, formProblem, hidden } from './forms.ts';
import { html } from './html.ts';
import { ownPath, pathWith } from './next-path.ts';
import { type PageDocument, type PageScope, visitOf } from './page-scope.ts';
import { shownAgain } from './shown-again.ts';

/** /sign-in and /sign-out. */
export function mountSignIn(
  scope: PageScope,
  { signIn, sessions }: { signIn: SignIn; sessions: Sessions },
): void {
  scope.get('/sign-in', async ({ session, query }) => {
    const next = ownPath(query.next, '/settings');
    if (session) return { redirect: next };
    const passwordIsNew = query.done === 'reset';
    return {
      ...signInPage(emptyForm, next, passwordIsNew),
      client: { page: 'sign-in', data: { next, passwordIsNew } },
    };
  });

  scope.post('/sign-in', async ({ request, form }) => {
    const { email = '', password = '' } = form;
    const next = ownPath(form.next, '/settings');
    return shownAgain(
      async () => ({ redirect: next, cookies: await signIn.signIn({ email, password }, visitOf(request)) }),
      { values: { email }, fields: ['email', 'password'] },
      (state) => signInPage(state, next, false),
    );
  });

  scope.get('/sign-out', async ({ session }) => (session ? signOutPage() : { redirect: '/sign-in' }));

  scope.post('/sign-out', async ({ session }) => {
    if (session) await sessions.end(session.id);
    return { redirect: '/sign-in', cookies: [sessions.expiredCookie] };
  });
}

function signInPage(form: FormState, next: string, passwordIsNew: boolean): PageDocument {
  return {
    title: 'Sign in',
    body: html`<h1>Sign in</h1>
${passwordIsNew && html`<p class="notice good" role="status">Your password is changed. Sign in with the new one.</p>`}
<form class="card" method="post" action="/sign-in">
${formProblem(form)}
${field(form, { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' })}
${field(form, { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
${hidden('next', next)}
<button class="whole" type="submit">Sign in</button>
${passkeys}
</form>
<p class="below"><a href="/reset">Forgot your password?</a></p>
<p class="below">New here? <a href="${pathWith('/sign-up', { next })}">Make an account</a></p>`,
  };
}

/** Holds the place of what the page's script puts there; without script it is not shown. */
const passkeys = html`<div class="sign-in-other script-only"><p class="or">or</p>
<button class="plain whole" type="button" disabled>Sign in with a passkey</button></div>`;

function signOutPage(): PageDocument {
  return {
    title: 'Sign out',
    body: html`<h1>Sign out?</h1>
<form class="card" method="post" action="/sign-out">
<p>Your API tokens keep working; revoke them in your <a href="/settings">settings</a>.</p>
<button class="whole" type="submit">Sign out</button>
</form>`,
  };
}
