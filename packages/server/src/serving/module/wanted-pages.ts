import { moduleOf, policyOf, type SiteFound } from '../decide.ts';
import type { FileAnswer } from '../file-answer.ts';
import type { ServingContext } from '../site.ts';
import type { WithModule } from './module-pages.ts';

/**
 * What pages with the module are made from. It is remembered with the answer of the file, which belongs to one site
 * as it is served now, so that a request looks up nothing else.
 */
export class WantedPages {
  readonly #context: Pick<ServingContext, 'appOrigin' | 'modules'>;
  readonly #ofFiles = new WeakMap<FileAnswer, WithModule>();

  constructor(context: Pick<ServingContext, 'appOrigin' | 'modules'>) {
    this.#context = context;
  }

  /** Returns null if the file gets no module, or the module is not built yet. */
  of(file: FileAnswer, found: SiteFound): WithModule | null {
    const known = this.#ofFiles.get(file);
    if (known) return known;
    const { withModule } = file;
    const text = withModule ? moduleOf(found, this.#context) : null;
    if (!withModule || !text) return null;
    const policy = policyOf(found, this.#context, withModule.link);
    const wanted: WithModule = { is: 'page', ...withModule, text, policy };
    this.#ofFiles.set(file, wanted);
    return wanted;
  }
}
