import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serviceJsonSchemaPath, serviceJsonSchemaText } from '@spaceport/contract/service-json';
import type { FastifyInstance } from 'fastify';
import '../../platform/http/shown-answer.ts';
import { madeOnce } from '../../platform/made-once.ts';
import { checkout } from '../built/sources.ts';
import { revalidated } from '../revalidated.ts';
import { makeDocPages } from './doc-pages.ts';

/** Documents by their path. */
export interface DocPages {
  /** Returns a page, or null if there is none at the path. */
  read(path: string): Promise<string | null>;
}

/** @param needsAccount whether nobody publishes without an account */
export function openDocPages(app: string, needsAccount: boolean): DocPages {
  const pages = madeOnce(() => makeDocPages(app, needsAccount));
  return {
    read: async (path) => (await pages()).get(path) ?? null,
  };
}

/** `GET /schemas/service.json`: the JSON Schema of service.json, which editors on any site may read. */
export function mountSchema(app: FastifyInstance, appOrigin: string): void {
  let made: string | undefined;
  app.get(serviceJsonSchemaPath, { exposeHeadRoute: true }, async (_request, reply) => {
    made ??= serviceJsonSchemaText(appOrigin);
    return reply
      .headers(revalidated(made))
      .header('access-control-allow-origin', '*')
      .type('application/schema+json; charset=utf-8')
      .send(made);
  });
}

/** `GET /sdk.d.ts`: the types of the player module, for editors and compilers. */
export function mountTypes(app: FastifyInstance): void {
  const read = madeOnce(() => readFile(join(checkout, 'docs/sdk.d.ts'), 'utf8'));
  app.get('/sdk.d.ts', { exposeHeadRoute: true }, async (request, reply) => {
    const text = await read();
    request.shown = { tags: [], compressible: true };
    return reply
      .headers(revalidated(text))
      .header('access-control-allow-origin', '*')
      .type('text/plain; charset=utf-8')
      .send(text);
  });
}

/**
 * `GET /llms.txt` (llmstxt.org), `/skill.md`, `/docs/*.md`: the documents for newcomers and agents, as
 * Markdown. `GET /examples/*`: the files that they tell a reader to copy.
 */
export function mountDocs(app: FastifyInstance, pages: DocPages): void {
  for (const path of ['/llms.txt', '/skill.md', '/docs/*', '/examples/*']) {
    const config = { cacheable: { query: [], ignoresOthers: true } };
    app.get<{ Params: { '*'?: string } }>(path, { exposeHeadRoute: true, config }, async (request, reply) => {
      const wanted = path.replace('*', request.params['*'] ?? '');
      const text = await pages.read(wanted);
      if (text === null) return reply.callNotFound();
      // Browsers show plain text, but download a type that they do not know. A page of an example is text,
      // too: nothing of it runs here.
      request.shown = { tags: [], compressible: true };
      const type = wanted.endsWith('.md') ? 'text/markdown' : 'text/plain';
      return reply.headers(revalidated(text)).type(`${type}; charset=utf-8`).send(text);
    });
  }
}
