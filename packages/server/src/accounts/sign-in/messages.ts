import type { Mail } from '../../platform/mail/mailer.ts';

/** How long a link in mail works, in seconds. The texts below say the same. */
export const linkSeconds = 3600;

// Links are on a line of their own, so that every mail program finds their end.

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

/** The mail to the address that an account is to get. */
export function newAddressMail(to: string, appOrigin: string, token: string): Mail {
  return {
    to,
    subject: 'Confirm your new e-mail address',
    text: `Somebody, probably you, wants to use this address for an account at ${appOrigin}.

Make it the account's address by opening this link within the hour; it works once:

${link(appOrigin, '/verify', token)}

If it was not you, you need not do anything.`,
  };
}

/** The mail to the address that an account had until now. */
export function addressChangedMail({ from, to }: { from: string; to: string }, appOrigin: string): Mail {
  return {
    to: from,
    subject: 'Your e-mail address was changed',
    text: `Your account at ${appOrigin} has another e-mail address now:

${to}

Mail about the account goes there from now on. If it was not you who changed it, somebody else knows your password:
tell whoever runs ${appOrigin}.`,
  };
}

/** The mail to the address of an account that was just deleted. */
export function accountDeletedMail(to: string, appOrigin: string): Mail {
  return {
    to,
    subject: 'Your account was deleted',
    text: `Your account at ${appOrigin} was deleted, with its spaces, its scores and its profile.

If it was not you who did it, tell whoever runs ${appOrigin} soon: the content of its spaces is deleted within days.`,
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
