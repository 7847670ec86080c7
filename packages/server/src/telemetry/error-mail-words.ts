import type { Mail } from '../platform/mail/mailer.ts';
import type { NewError, OwnedVersion } from './error-mail.queries.ts';

const named = 5;
const longest = 160;

/** Returns the mail that tells a space's owner about new errors in a version. */
export function errorMail(
  { email, slug, title, version }: Pick<OwnedVersion, 'email' | 'slug' | 'title'> & { version: number },
  errors: readonly NewError[],
  appOrigin: string,
): Mail {
  const many = errors.length > 1;
  const more = errors.length - named;
  const lines = errors
    .slice(0, named)
    .map(
      ({ message, place, sessions, count }) =>
        `- ${quoted(message)}${place === null ? '' : ` (${quoted(place)})`}: ${count} times, in ${sessions} loads`,
    );
  return {
    to: email,
    subject: `${many ? `${errors.length} new errors` : 'A new error'} in version ${version} of ${title}`,
    text: [
      `Version ${version} of ${title} has ${many ? `${errors.length} errors` : 'an error'} that no earlier version had:`,
      '',
      ...lines,
      ...(more > 0 ? [`and ${more} more`] : []),
      '',
      'What happened, in which browsers, and the stack:',
      `${appOrigin}/dashboard/${slug}?section=health`,
      '',
      'You get at most one such mail a day for a version. You can switch them off on that page.',
      '',
    ].join('\n'),
  };
}

/** Makes untrusted text fit for a mail: one line, short, and without addresses that could be followed. */
function quoted(text: string): string {
  // Word by word: one expression for a word with an address in it takes cubic time.
  const words = text.trim().split(/\s+/u);
  const line = words.map((word) => (/[a-z]:\/\/|www\./iu.test(word) ? '(address)' : word)).join(' ');
  return line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line;
}
