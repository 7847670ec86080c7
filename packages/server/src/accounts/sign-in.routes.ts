import * as contract from '@spaceport/contract/sign-in';
import type { FastifyReply } from 'fastify';
import type { Binder } from '../platform/http/operations.ts';
import { parseName } from './person-name.ts';
import type { Sessions } from './sign-in/sessions.ts';
import type { SetCookies, SignIn } from './sign-in/sign-in.ts';

/**
 * Binds signing up, in and out, and the links in mail, for pages with script. pages/*.page.ts does
 * the same without script.
 */
export function bindSignIn(
  binder: Binder,
  { signIn, sessions }: { readonly signIn: SignIn; readonly sessions: Sessions },
): void {
  const signedIn = (reply: FastifyReply, cookies: SetCookies) => {
    reply.header('set-cookie', [...cookies]);
    return { body: { signed_in: true as const } };
  };

  binder.bind(contract.signUp, async ({ body: { name, email, password, code }, address, headers, reply }) => {
    const account = { name: parseName(name), email, password, code };
    return signedIn(reply, await signIn.signUp(account, { address, headers }));
  });

  binder.bind(contract.signIn, async ({ body, address, headers, reply }) =>
    signedIn(reply, await signIn.signIn(body, { address, headers })),
  );

  binder.bind(contract.signOut, async ({ headers, reply }) => {
    const session = await sessions.find(headers);
    if (session) await sessions.end(session.id);
    reply.header('set-cookie', sessions.expiredCookie);
    return { body: { signed_out: true as const } };
  });

  binder.bind(contract.requestPasswordReset, async ({ body, address, headers }) => {
    await signIn.requestReset(body.email, { address, headers });
    return { body: { requested: true as const } };
  });

  binder.bind(contract.resetPassword, async ({ body }) => {
    await signIn.reset(body.token, body.password);
    return { body: { changed: true as const } };
  });

  binder.bind(contract.confirmEmail, async ({ body }) => {
    await signIn.verify(body.token);
    return { body: { confirmed: true as const } };
  });
}
