import type { Mail } from '../platform/mail/mailer.ts';
import type { ToldOwner } from '../spaces/spaces.ts';

/**
 * Makes a mail to a space's owner about its host name.
 * @param reason what is missing, as a sentence
 */
export type DomainMail = (owner: ToldOwner, host: string, reason: string, appOrigin: string) => Mail;

/** Tells that the records of the live host are missing. */
export const missingMail: DomainMail = ({ email, slug, title }, host, reason, appOrigin) => {
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
};

/** Tells that the space is no longer served at its host. */
export const endedMail: DomainMail = ({ email, slug, title }, host, reason, appOrigin) => {
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
};
