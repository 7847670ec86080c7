import { isIP } from 'node:net';
import type { FailedRequest } from '../../platform/browser/visit.ts';
import { isPublicAddress } from '../../platform/safe-fetch/public-address.ts';
import { targetRule } from '../../platform/safe-fetch/target-rule.ts';
import { decodePath } from '../../serving/find-file.ts';
import { neverPublished } from '../never-published.ts';
import { shown } from '../rules/finding.ts';

const ownMachine = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/u;

/** Explains why requests of a version's page failed, and how to fix them. */
export class Hints {
  readonly #origin: URL;
  readonly #paths: readonly string[];
  /** Paths by their lower-case spelling. */
  readonly #folded: ReadonlyMap<string, string>;

  /**
   * @param origin the origin where the version is served
   * @param paths the files of the version
   */
  constructor(origin: string, paths: readonly string[]) {
    this.#origin = new URL(origin);
    this.#paths = paths;
    this.#folded = new Map(paths.map((path) => [path.toLowerCase(), path]));
  }

  /** Returns undefined if there is no helpful hint. */
  hint(request: FailedRequest): string | undefined {
    const { url, status } = request;
    const target = URL.parse(url);
    if (!target) return 'This is not an address.';
    if (target.host === this.#origin.host) return status === 404 ? this.#missing(target) : undefined;
    if (ownMachine.test(target.hostname)) {
      return 'This address is on your own machine: nobody else can reach it. Put the file into the upload and name it by its path from the page.';
    }
    if (isMixed(this.#origin, target)) {
      return 'Browsers refuse this on a page served over https: load it over https, or put the file into the upload.';
    }
    const host = shown(target.host);
    if (isPrivate(target.hostname)) {
      return `The host ${host} was not reached: its name or address belongs to a private network, which players cannot reach. Put what the game needs to start into the upload.`;
    }
    if (isOutOfReach(request, this.#origin.origin)) {
      return `The host ${host} was not reached: it did not answer, or this server cannot reach it. Players may be able to; what the game needs to start is safest in the upload.`;
    }
    if (request.status !== null) return undefined;
    return `The browser blocked it. Most often ${host} does not let other sites read it (CORS): its server must allow it, or put the file into the upload.`;
  }

  #missing(target: URL): string {
    const wanted = requestedPath(target);
    const asked = shown(`/${wanted}`);
    const otherCase = this.#folded.get(wanted.toLowerCase());
    if (otherCase !== undefined) {
      return `${shown(wanted)} is there as ${shown(otherCase)}: upper and lower case differ here.`;
    }
    const elsewhere = this.#elsewhere(wanted.toLowerCase());
    if (elsewhere !== undefined) {
      return `${asked} is requested from the root; the file is at ${shown(elsewhere)}. Write its path as seen from the page, or build with a relative base ("./").`;
    }
    const never = neverPublished(wanted);
    if (never) return `${asked} is not in the upload: ${never.reason}. ${never.fix}`;
    return `There is no ${shown(wanted)} in the upload: add the file, or remove the request.`;
  }

  /** Finds a file at the same path with folders in front of it removed or added. */
  #elsewhere(wanted: string): string | undefined {
    const segments = wanted.split('/');
    for (let from = 1; from < segments.length; from++) {
      const found = this.#folded.get(segments.slice(from).join('/'));
      if (found !== undefined) return found;
    }
    return this.#paths.find((path) => path.toLowerCase().endsWith(`/${wanted}`));
  }
}

const publicRule = targetRule({ allow: [], ownHosts: () => false });

/**
 * Returns whether a host is private. This is decided from the address as written, so that the answer reveals
 * nothing about this server's network.
 */
function isPrivate(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/gu, '');
  return isIP(address) === 0 ? !publicRule.mayName({ host: hostname, port: 443 }) : !isPublicAddress(address);
}

/**
 * Returns whether no answer came, or only the answer of our proxy, which gives 502
 * for hosts that it cannot reach.
 */
function isUnreached({ status, reason }: FailedRequest): boolean {
  return status === 502 || /TUNNEL|PROXY|NAME_NOT|CONNECTION|ADDRESS|TIMED_OUT|INTERNET/u.test(reason);
}

/**
 * Returns whether a request went to a public host that did not answer, or that this server cannot reach. As
 * far as can be told, this is not the page's fault.
 */
export function isOutOfReach(request: FailedRequest, origin: string): boolean {
  const page = new URL(origin);
  const target = URL.parse(request.url);
  if (!target || target.host === page.host || isPrivate(target.hostname)) return false;
  return isUnreached(request) && !isMixed(page, target);
}

function isMixed(page: URL, target: URL): boolean {
  return page.protocol === 'https:' && (target.protocol === 'http:' || target.protocol === 'ws:');
}

/** Returns the path in the version that a request names; as it was written if that is not well encoded. */
export function requestedPath({ pathname }: URL): string {
  const written = pathname.slice(1);
  return decodePath(written) ?? written;
}
