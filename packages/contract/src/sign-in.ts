import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { text, yes } from './primitives.ts';

/**
 * Signing in to the web pages. These operations are for our own pages: they answer with a session cookie that
 * scripts cannot read, and refuse requests of other sites' pages and of programs as `forbidden`. Passkeys
 * have separate routes, `/api/auth/passkey/*`, whose bodies are those of WebAuthn.
 */

/** Longer than any accepted value: the server checks the real limit and reports it beside the field. */
const typed = z.string().max(1_000);
export const email = typed.meta({ format: 'email', description: 'An e-mail address.' });
export const password = typed.meta({
  format: 'password',
  description: 'The password, 8 to 128 characters.',
});
/** The token of a link in a mail. */
const linkToken = typed.meta({ description: 'The `token` of the link in the message.' });
/** Fewest characters of a password. */
export const minPasswordLength = 8;
/** A creator's display name. */
export const personName = text(1, 60).describe('The name that stands beside the handle.');

const forPages = { tag: 'Sign-in', credential: 'own_page', edge: 'plain' } as const;
const signedIn = z.object({ signed_in: yes });

export const signUp = defineOperation({
  ...forPages,
  id: 'signUp',
  method: 'POST',
  path: '/api/account/sign-up',
  summary: 'Make an account and sign in to it. A link that confirms the address is sent to it.',
  body: z.strictObject({
    name: personName,
    email,
    password,
    code: typed.optional().meta({ description: 'The invitation code, if the service asks for one.' }),
  }),
  example: { body: { name: 'Wren', email: 'wren@example.org', password: 'a long enough password' } },
  answers: { 201: signedIn },
  errors: ['rate_limited'],
});

export const signIn = defineOperation({
  ...forPages,
  id: 'signIn',
  method: 'POST',
  path: '/api/account/sign-in',
  summary: 'Sign in with e-mail address and password.',
  body: z.strictObject({ email, password }),
  example: { body: { email: 'wren@example.org', password: 'a long enough password' } },
  answers: { 200: signedIn },
  errors: ['unauthorized', 'rate_limited'],
});

export const signOut = defineOperation({
  ...forPages,
  id: 'signOut',
  method: 'POST',
  path: '/api/account/sign-out',
  summary: 'End the session of this browser, if it has one.',
  answers: { 200: z.object({ signed_out: yes }) },
  errors: [],
});

export const requestPasswordReset = defineOperation({
  ...forPages,
  id: 'requestPasswordReset',
  method: 'POST',
  path: '/api/account/password-reset',
  summary:
    'Send a link that lets a new password be chosen. The answer is the same if there is no such account.',
  body: z.strictObject({ email }),
  example: { body: { email: 'wren@example.org' } },
  answers: { 202: z.object({ requested: yes }) },
  errors: ['rate_limited'],
});

export const resetPassword = defineOperation({
  ...forPages,
  id: 'resetPassword',
  method: 'POST',
  path: '/api/account/password-reset/confirm',
  summary: 'Set the password by the link that was sent, and end every session.',
  body: z.strictObject({ token: linkToken, password }),
  example: { body: { token: '…', password: 'another long password' } },
  answers: { 200: z.object({ changed: yes }) },
  errors: [],
});

export const confirmEmail = defineOperation({
  ...forPages,
  id: 'confirmEmail',
  method: 'POST',
  path: '/api/account/email/confirm',
  summary: 'Confirm an e-mail address by the link that was sent to it: the one of a sign-up, or a new one.',
  body: z.strictObject({ token: linkToken }),
  example: { body: { token: '…' } },
  answers: { 200: z.object({ confirmed: yes }) },
  errors: [],
});
