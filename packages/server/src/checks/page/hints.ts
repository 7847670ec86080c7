import type { FailedRequest } from '../../platform/browser/visit.ts';
import { shown } from '../rules/finding.ts';

const ownMachine = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/u;

/** Says why requests of a version's page failed, and what would mend them. */
export class Hints {
  readonly #origin: URL;
  readonly #paths: readonly string[];
  /** By their spelling in lower case. */
  readonly #folded: ReadonlyMap<string, string>;

  /** @param origin where the version is served. @param paths its files. */
  constructor(origin: string, paths: readonly string[]) {
    this.#origin = new URL(origin);
    this.#paths = paths;
    this.#folded = new Map(paths.map((path) => [path.toLowerCase(), path]));
  }

  /** Undefined where nothing helpful can be said. */
  hint({ url, status }: FailedRequest): string | undefined {
    const target = URL.parse(url);
    if (!target) return 'This is not an address.';
    if (target.host === this.#origin.host) return status === 404 ? this.#missing(target) : undefined;
    if (ownMachine.test(target.hostname)) {
      return 'This is on your own machine: nobody else reaches it. Put the file into the upload and name it by its path from the page.';
    }
    if (this.#origin.protocol === 'https:' && (target.protocol === 'http:' || target.protocol === 'ws:')) {
      return 'Browsers refuse this on a page served over https: load it over https, or put the file into the upload.';
    }
    if (status !== null && status !== 502) return undefined;
    return `The host ${shown(target.host)} was not reached from here: only public hosts are. What the game needs to start belongs into the upload.`;
  }

  #missing({ pathname }: URL): string {
    const wanted = decoded(pathname);
    const asked = shown(`/${wanted}`);
    const otherCase = this.#folded.get(wanted.toLowerCase());
    if (otherCase !== undefined) {
      return `${shown(wanted)} is there as ${shown(otherCase)}: upper and lower case differ here.`;
    }
    const elsewhere = this.#elsewhere(wanted.toLowerCase());
    if (elsewhere !== undefined) {
      return `${asked} is asked from the root; the file is at ${shown(elsewhere)}. Write its path as seen from the page, or build with a relative base ("./").`;
    }
    return `There is no ${shown(wanted)} in the upload: add the file, or take the request out.`;
  }

  /** The same path with a folder more or less in front of it. */
  #elsewhere(wanted: string): string | undefined {
    const segments = wanted.split('/');
    for (let from = 1; from < segments.length; from++) {
      const found = this.#folded.get(segments.slice(from).join('/'));
      if (found !== undefined) return found;
    }
    return this.#paths.find((path) => path.toLowerCase().endsWith(`/${wanted}`));
  }
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname.slice(1)).normalize('NFC');
  } catch {
    return pathname.slice(1);
  }
}
