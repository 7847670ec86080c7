import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import { type PageScope, signInFirst, visitOf } from './page-scope.ts';

/**
 * /verify: the target of the link in the mail. Opening it changes nothing, because mail scanners open links
 * too.
 */
export function mountVerify(scope: PageScope, { signIn }: { signIn: SignIn }): void {
  scope.get('/verify', async ({ query: { token = '' } }) => ({
    title: 'Confirm your address',
    client: { page: 'verify', data: { token, isDone: false } },
  }));

  scope.post('/verify', async ({ form: { token = '' } }) => {
    await signIn.verify(token);
    return { title: 'Address confirmed', client: { page: 'verify', data: { token: '', isDone: true } } };
  });

  scope.post('/verify/send', async (page) => {
    if (!page.session) return signInFirst(page);
    await signIn.sendVerification(page.session, visitOf(page.request));
    return { redirect: '/settings?done=sent' };
  });
}
