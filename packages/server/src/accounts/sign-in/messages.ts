import type { Mail } from '../../platform/mail/mailer.ts';

// Links stand on a line of their own, so that every mail program finds where they end.

export function verificationMail(to: string, appOrigin: string, token: string): Mail {
  return {
    to,
    subject: 'Confirm your e-mail address',
    text: `Welcome to Spaceport.

Confirm that this address is yours by opening this link within the hour:

${link(appOrigin, '/verify', token)}

If you did not make an account at ${appOrigin}, you need not do anything.`,
  };
}

export function resetMail(to: string, appOrigin: string, token: string): Mail {
  return {
    to,
    subject: 'Choose a new password',
    text: `Somebody, probably you, asked for a new password at ${appOrigin}.

Choose it by opening this link within the hour; it works once:

${link(appOrigin, '/reset/new', token)}

If it was not you, you need not do anything: your password stays as it is.`,
  };
}

function link(appOrigin: string, path: string, token: string): string {
  const url = new URL(path, appOrigin);
  url.searchParams.set('token', token);
  return url.href;
}
