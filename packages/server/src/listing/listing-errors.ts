import { proofTagName } from '@spaceport/contract/listing';
import { ServiceError } from '../platform/errors.ts';

/**
 * The errors of listing, claiming and moving. They are outside the hosting API, so each has its own `message`
 * (docs/api-design.md, "Two edges").
 */
export function invalidUrl(message: string): ServiceError {
  return new ServiceError('invalid', `«url» ${message}.`, {
    issues: [{ path: 'url', message }],
    next: (app) =>
      `A page that is not on the public web is published as a folder instead: ${app}/llms.txt shows the calls.`,
  });
}

export function blocked(): ServiceError {
  return new ServiceError('blocked', 'This address cannot be listed.');
}

/** @param pageUrl the service's page of the space that has the address */
export function duplicate(pageUrl: string): ServiceError {
  return new ServiceError('duplicate', 'Another space already uses that address.', { url: pageUrl });
}

export function sameUrl(): ServiceError {
  return new ServiceError('same_url', 'The space has this address already.');
}

export function changedMeanwhile(): ServiceError {
  return new ServiceError('conflict', 'The space changed meanwhile; read it again and retry.');
}

/** What an owner has to do if the page has no proof tag. */
export interface Proof {
  readonly instruction: string;
  readonly snippet: string;
}

export function proofFor(handle: string): Proof {
  return {
    instruction: 'Put the snippet into the head of the page, publish the page, and try again.',
    snippet: `<meta name="${proofTagName}" content="${handle}">`,
  };
}

export function unverified(handle: string): ServiceError {
  const message = `The page's head has no proof tag that names @${handle}.`;
  return new ServiceError('unverified', message, { ...proofFor(handle) });
}

export function unframeable(header: string, appOrigin: string): ServiceError {
  return new ServiceError('unframeable', `The page refuses to be shown in a frame, by «${header}».`, {
    instruction:
      'Send the header of the snippet in place of the one that refuses, publish the page, and try again.',
    snippet: `Content-Security-Policy: frame-ancestors 'self' ${appOrigin}`,
  });
}

const loginWall = new Set([401, 403]);

/** @param status the HTTP status of the page's answer; null if there was no answer */
export function unreachable(message: string, status: number | null = null): ServiceError {
  if (status === null || !loginWall.has(status)) return new ServiceError('unreachable', message);
  return new ServiceError('unreachable', `The page asks visitors to sign in: it answered ${status}.`, {
    instruction: 'Let everybody open the page (a preview deployment may be locked), then try again.',
  });
}
