import { type ApiError, notTheServiceCode } from '@spaceport/client/api-error';
import { cliLine } from '@spaceport/contract/cli-line';
import { nothingAtPath } from '@spaceport/contract/errors';
import { parseUrl } from '@spaceport/contract/parse-url';
import { quoted } from './quoted.ts';

/** What a failure says, and what to do next. */
export interface Advice {
  readonly message: string;
  readonly next: string;
}

const lookThere = (origin: string) =>
  `Open ${origin} in a browser: if a network or a proxy asks for a sign-in, it shows it there.`;

const checkAddress = 'Check the address (--server or SPACEPORT_SERVER).';

/** Returns what to say of an answer that is of no Spaceport: of another server, of a proxy, or of a network. */
export function aboutStranger(error: ApiError): Advice | undefined {
  if (error.code !== notTheServiceCode) return undefined;
  const { status, message, details, url: asked = '' } = error;
  const url = parseUrl(asked);
  const away = 'It may be over soon: try again in a minute.';
  // The sentence says already that a proxy has answered.
  if (status === 413) return { message, next: 'Publish less at once, or tell the operator of the service.' };
  if (status >= 502 && status <= 504) return { message, next: away };
  if (url === null) return { message, next: checkAddress };
  const { origin } = url;
  const to = parseUrl(String(details.location));
  if (to !== null) return aboutRedirect(url, to);
  const answer = `${url.pathname} is answered ${answerOf(status, details.title)}`;
  if (status === 407)
    return {
      message: `A proxy refuses the call: at ${origin}, ${answer}.`,
      next: 'Put a name and a password for it into HTTP_PROXY, as in http://NAME:PASSWORD@proxy.example:3128',
    };
  if ([401, 403, 429, 511].includes(status))
    return {
      message: `Something before the service refuses the call: at ${origin}, ${answer}.`,
      next: lookThere(origin),
    };
  if (status >= 500)
    return { message: `No Spaceport has answered: at ${origin}, ${answer}.`, next: checkAddress };
  return {
    message: `There is no Spaceport at ${origin}: ${answer}.`,
    next: `${checkAddress} If it is right: ${lookThere(origin)}`,
  };
}

function answerOf(status: number, title: unknown): string {
  const page = typeof title === 'string' ? `a page «${title}»` : '';
  if (status < 300) return page ? `with ${page}` : 'by another program';
  return `with ${status}${page && ` and ${page}`}`;
}

/** A service that has moved, or is on https only, leads to the same path. */
function aboutRedirect(url: URL, to: URL): Advice {
  const message = `${url.origin} leads elsewhere: ${url.pathname} redirects to ${to.href}.`;
  const hasMoved = to.pathname === url.pathname && to.origin !== url.origin;
  const name = `If that is the service, name it: --server ${quoted(to.origin)}`;
  return { message, next: hasMoved ? name : `${checkAddress} If it is right: ${lookThere(url.origin)}` };
}

/** Returns what to say if the service has no such call: it is of another version than this command. */
export function aboutOlder({ code, message, url: asked = '' }: ApiError): Advice | undefined {
  const url = parseUrl(asked);
  const isUnknown = code === 'method_not_allowed' || (code === 'not_found' && message === nothingAtPath);
  if (url === null || !isUnknown) return undefined;
  return {
    message: `The Spaceport at ${url.origin} is of another version than this command, and does not know ${url.pathname}.`,
    next: `Use the command that it serves: ${cliLine(url.origin, '--help')}`,
  };
}
