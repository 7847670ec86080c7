import type { NamedLink } from '@spaceport/contract/named-link';
import type { Standing } from '../platform/db/schema.ts';
import { askOperators } from '../platform/mail/contact.ts';
import type { Mail } from '../platform/mail/mailer.ts';
import type { ReviewOutcome } from '../versions/review-decision.ts';

export interface Told {
  /** The operator's words; null if there are none. */
  readonly message: string | null;
  readonly contact: NamedLink | null;
  readonly appOrigin: string;
}

interface ToldSpace {
  readonly slug: string;
  readonly title: string;
  /** The state that operators have just given it. */
  readonly standing: Standing;
}

const back = {
  subject: (title: string) => `${title} is back`,
  effect: (title: string) => `The operators of the service have put ${title} back: it is as it was before.`,
};
const standings: Readonly<Record<Standing, typeof back>> = {
  listed: back,
  unlisted: back,
  held: {
    subject: (title) => `${title} is under review`,
    effect: (title) =>
      `The operators of the service are reviewing ${title}. Until they decide, nobody can open it, and nothing can be published or changed.`,
  },
  hidden: {
    subject: (title) => `${title} was hidden`,
    effect: (title) =>
      `The operators of the service have hidden ${title}: nobody can open it. You can still change it.`,
  },
  removed: {
    subject: (title) => `${title} was removed`,
    effect: (title) =>
      `The operators of the service have removed ${title}: nobody can open it, and nothing can be published or changed any more.`,
  },
};

/** Returns the mail that tells a space's owner what operators did with it. */
export function spaceMail(to: string, { slug, title, standing }: ToldSpace, told: Told): Mail {
  const { subject, effect } = standings[standing];
  return {
    to,
    subject: subject(title),
    text: [
      effect(title),
      '',
      ...quoted(told),
      'It is in your dashboard:',
      `${told.appOrigin}/dashboard/${slug}`,
      '',
      ...(standings[standing] === back ? [] : [askOperators(told.contact), '']),
    ].join('\n'),
  };
}

const outcomes: Readonly<Record<ReviewOutcome, readonly [subject: string, effect: string]>> = {
  live: ['is live', 'have looked at it, and it is live now.'],
  preview: ['can be shown again', 'have looked at it, and its preview links work again.'],
  superseded: [
    'was approved',
    'have looked at it, and nothing is wrong with it. It is not live, because a newer version is.',
  ],
  declined: ['was declined', 'have looked at it, and it stays as it is. You can publish another version.'],
};

/** Returns the mail that tells a creator how the review of a version ended. */
export function reviewMail(
  to: string,
  { slug, title, number, outcome }: Omit<ToldSpace, 'standing'> & { number: number; outcome: ReviewOutcome },
  told: Told,
): Mail {
  const [subject, effect] = outcomes[outcome];
  return {
    to,
    subject: `Version ${number} of ${title} ${subject}`,
    text: [
      `You asked for a review of version ${number} of ${title}. The operators of the service ${effect}`,
      '',
      ...quoted(told),
      'Its versions:',
      `${told.appOrigin}/dashboard/${slug}`,
      '',
      ...(outcome === 'declined' ? [askOperators(told.contact), ''] : []),
    ].join('\n'),
  };
}

/** Returns the mail that tells somebody that their account was banned, or that the ban was lifted. */
export function banMail(to: string, banned: boolean, told: Told): Mail {
  const { appOrigin, contact } = told;
  const effect = banned
    ? `The operators of ${appOrigin} have banned your account. You are signed out, your API tokens do not work, your spaces are hidden, and you are in no ranking.`
    : `The operators of ${appOrigin} have lifted the ban of your account. You can sign in again, and your API tokens, your spaces and your scores are back.`;
  return {
    to,
    subject: banned ? 'Your account was banned' : 'Your account is no longer banned',
    text: [effect, '', ...quoted(told), ...(banned ? [askOperators(contact), ''] : [])].join('\n'),
  };
}

function quoted({ message }: Told): string[] {
  return message === null ? [] : ['They write:', '', message, ''];
}
