import type { Mail } from '../platform/mail/mailer.ts';
import type { DeliveryRow } from './deliveries.queries.ts';

export interface SwitchedOff extends Pick<DeliveryRow, 'type' | 'status'> {
  readonly email: string;
  readonly slug: string;
  readonly title: string;
  readonly url: string;
  readonly reason: 'gone' | 'failing';
}

/** Returns the mail that tells a space's owner that a webhook was switched off. */
export function switchedOffMail(
  { email, slug, title, url, reason, type, status }: SwitchedOff,
  appOrigin: string,
): Mail {
  const why =
    reason === 'gone'
      ? 'It answered 410, which means that it wants no more events.'
      : `«${type}» could not be delivered for a day; the last answer: ${status ?? 'none within five seconds'}.`;
  return {
    to: email,
    subject: `A webhook of ${title} is switched off`,
    text: [
      `The webhook of ${title} at`,
      '',
      url,
      '',
      `is switched off and gets no more events. ${why}`,
      '',
      'Its deliveries, and how to switch it on again:',
      `${appOrigin}/dashboard/${slug}?section=webhooks`,
      '',
    ].join('\n'),
  };
}
