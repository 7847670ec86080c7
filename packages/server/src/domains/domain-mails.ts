import type { Mail } from '../platform/mail/mailer.ts';
import type { DomainOwner, DomainRow } from './domains.queries.ts';

type Host = Pick<DomainRow, 'host'>;

/**
 * Returns the mail that tells a space's owner that the records of its live host are missing.
 * @param reason what is missing, as a sentence
 */
export function missingMail(
  { email, slug, title }: DomainOwner,
  { host }: Host,
  reason: string,
  appOrigin: string,
): Mail {
  return {
    to: email,
    subject: `DNS records of ${host} are missing`,
    text: [
      `${title} is served at ${host}, but its DNS records are not as they were:`,
      '',
      reason,
      '',
      'After a day without them the name stops working. Both records, to copy:',
      `${appOrigin}/dashboard/${slug}?section=domain`,
      '',
    ].join('\n'),
  };
}

/** Returns the mail that tells a space's owner that the space is no longer served at its host. */
export function endedMail(
  { email, slug, title }: DomainOwner,
  { host }: Host,
  reason: string,
  appOrigin: string,
): Mail {
  return {
    to: email,
    subject: `${title} is no longer served at ${host}`,
    text: [
      `${host} does not show ${title} any more, because its DNS records were missing:`,
      '',
      reason,
      '',
      'It works again once both records are there. We look for them for 7 days:',
      `${appOrigin}/dashboard/${slug}?section=domain`,
      '',
    ].join('\n'),
  };
}
