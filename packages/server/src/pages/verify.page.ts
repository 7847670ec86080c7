import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import { hidden } from './forms.ts';
import { html } from './html.ts';
import { type PageScope, signInFirst, visitOf } from './page-scope.ts';

/** /verify: where the link in the mail leads. Opening it changes nothing, since mail scanners open links too. */
export function mountVerify(scope: PageScope, { signIn }: { signIn: SignIn }): void {
  scope.get('/verify', async ({ query }) => ({
    title: 'Confirm your address',
    body: html`<h1>Confirm your e-mail address</h1>
<form class="card" method="post" action="/verify">
<p>One press, and we know that mail to you arrives.</p>
${hidden('token', query.token ?? '')}
<button class="whole" type="submit">Confirm</button>
</form>`,
  }));

  scope.post('/verify', async ({ form }) => {
    await signIn.verify(form.token ?? '');
    return {
      title: 'Address confirmed',
      body: html`<h1>Thank you</h1>
<div class="card"><p role="status">Your e-mail address is confirmed.</p><p><a href="/settings">Go to your settings</a></p></div>`,
    };
  });

  scope.post('/verify/send', async (page) => {
    if (!page.session) return signInFirst(page);
    await signIn.sendVerification(page.session, visitOf(page.request));
    return { redirect: '/settings?done=sent' };
  });
}
