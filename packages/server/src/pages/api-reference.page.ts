import { cliLine } from '@spaceport/contract/cli-line';
import { type ErrorCode, errorTable } from '@spaceport/contract/errors';
import { errorSchemas } from '@spaceport/contract/openapi-errors';
import { cardPicture } from '../gallery/card-picture.ts';
import { acceptsMarkdown } from './docs/accepts-markdown.ts';
import { type Description, describeAll } from './docs/description.ts';
import type { DocPages } from './docs/mount-docs.ts';
import { type Html, html } from './html.ts';
import { type PageScope, publicDocument } from './page-scope.ts';
import { fieldList, isNamed, marked, type Reading, schemaId } from './reference/fields.ts';
import { operationSection } from './reference/operation.ts';
import type { Schema, Schemas } from './reference/schema.ts';

/** /docs/api: a page with every operation, rendered from the OpenAPI description. */
export function mountApiReference(scope: PageScope, { app }: { app: string }, pages: DocPages): void {
  let markup: string | null = null;
  scope.get(
    '/docs/api',
    async ({ request }) => {
      const markdown = acceptsMarkdown(request.headers.accept) ? await pages.read('/docs/api.md') : null;
      if (markdown !== null) return { markdown, shows: [] };
      markup ??= html`<main id="main" class="main main--full" tabindex="-1">${reference(app)}</main>`.text;
      return {
        title: 'API',
        index: true,
        description: 'Every operation of the API: what it takes, what it answers, and how it fails.',
        social: { canonical: `${app}/docs/api`, type: 'website', image: cardPicture(app) },
        headers: { ...publicDocument, vary: 'accept' },
        shows: [],
        enhancement: 'reference',
        client: { page: null, html: markup },
      };
    },
    {
      cacheable: {
        query: [],
        ignoresOthers: true,
        variant: ({ accept }) => (acceptsMarkdown(accept) ? 'markdown' : 'html'),
      },
    },
  );
}

function reference(app: string): Html {
  const { groups, description } = describeAll();
  const { paths, components } = description;
  const { schemas } = components;
  const sent = sentSchemas(paths, schemas);
  return html`<div class="reference">
<aside class="reference-side"><details class="reference-menu" open><summary>Operations</summary>
<div class="reference-search needs-script"><label class="said" for="find">Find an operation</label><input class="input" id="find" type="search" placeholder="Find an operation" autocomplete="off" spellcheck="false" aria-describedby="found"><p class="said" id="found" role="status"></p></div>
<nav aria-label="Operations">${groups.map(
    ({ tag, name, operations: own }) =>
      html`<div data-group><a class="reference-group" href="#${tagId(name)}">${tag}</a><ul>${own.map(
        ({ operation: { id, method, path, summary } }) =>
          html`<li data-find="${`${id} ${method} ${path} ${summary} ${tag}`.toLowerCase()}"><a href="#${id}"><span class="method method--${method.toLowerCase()}">${method}</span> ${id}</a></li>`,
      )}</ul></div>`,
  )}<div data-group><a class="reference-group" href="#objects">Objects</a></div><div data-group><a class="reference-group" href="#errors">Errors</a></div></nav></details></aside>
<div class="reference-text">
<h1>The API</h1>
${introduction(app)}
${groups.map(
  ({
    tag,
    name,
    operations: own,
  }) => html`<section aria-labelledby="${tagId(name)}"><h2 id="${tagId(name)}">${tag}</h2>
${own.map(({ operation, described }) => operationSection(operation, described, { schemas, app }))}</section>`,
)}
<section aria-labelledby="objects"><h2 id="objects">Objects</h2>
<p class="quiet">What bodies and answers above are made of.</p>
${Object.entries(schemas)
  .filter(([name]) => isNamed(name) && !Object.hasOwn(errorSchemas, name))
  .map(([name, schema]) => namedSchema(name, schema, { schemas, isSent: sent.has(name) }))}</section>
<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
<div class="table-scroll" tabindex="0" role="region" aria-labelledby="errors"><table class="table"><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>
${(Object.keys(errorTable) as ErrorCode[]).map((code) => html`<tr id="error-${code}"><td><code>${code}</code></td><td class="number">${errorTable[code].status}</td><td>${marked(errorTable[code].meaning)}</td></tr>`)}
</tbody></table></div></section>
</div></div>`;
}

function introduction(app: string): Html {
  return html`<div class="reference-intro"><p>Base address <code>${app}</code>. Bodies and answers are JSON; times are ISO 8601 in UTC. Programs read the same
from <a href="/api/openapi.json">openapi.json</a> (<a href="/api/openapi/operator.json">operators</a>, <a href="/api/openapi/pages.json">our own pages</a>), coding agents from <a href="/llms.txt">llms.txt</a> and <a href="/docs/api.md">as Markdown</a>, and the
command line does most of it: <code>${cliLine(app, 'publish ./dist')}</code>.</p>
<dl class="fields">
<div><dt>API token</dt><dd><p>Acts for one creator. Sent as <code>Authorization: Bearer sp_token_…</code>; got by <a href="#startLogin">startLogin</a> and <a href="#exchangeLogin">exchangeLogin</a> once its creator has approved in a browser.</p></dd></div>
<div><dt>Claim token</dt><dd><p>Goes on with what was published without an account: <code>x-service-claim: sp_claim_…</code>, or <code>claim</code> in a body.</p></dd></div>
<div><dt>Board secret</dt><dd><p>Speaks for one space from its own server: <code>Authorization: Bearer sp_secret_…</code>.</p></dd></div>
<div><dt>Errors</dt><dd><p><code>{ error, message }</code> with a code from <a href="#errors">the table</a> in <code>error</code>. In Hosting <code>{ error, code }</code>: there <code>error</code> is a sentence. 429 and 503 carry <code>Retry-After</code> in seconds.</p></dd></div>
</dl></div>`;
}

function namedSchema(name: string, schema: Schema, reading: Reading): Html {
  return html`<section class="operation operation--object" id="${schemaId(name)}" aria-labelledby="${schemaId(name)}-name"><h3 id="${schemaId(name)}-name"><a href="#${schemaId(name)}">${name}</a></h3>
<div class="operation-text">${schema.description && html`<p>${marked(schema.description)}</p>`}${fieldList(schema, reading)}</div></section>`;
}

/** Returns the names of all schemas in request bodies, including nested ones. */
function sentSchemas(paths: Description['paths'], schemas: Schemas): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/gu)) {
      if (names.has(name)) continue;
      names.add(name);
      add(schemas[name]);
    }
  };
  for (const path of Object.values(paths))
    for (const { requestBody } of Object.values(path)) add(requestBody);
  return names.add('spaceFieldsSchema');
}

function tagId(name: string): string {
  return `tag-${name}`;
}
