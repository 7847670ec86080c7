import { type ErrorCode, errorTable } from '@spaceport/contract/errors';
import type { Operation } from '@spaceport/contract/operation';
import { operations } from '@spaceport/contract/operations';
import { z } from 'zod';
import { type Html, html } from './html.ts';
import type { PageScope } from './page-scope.ts';

const credentials: Record<Operation['credential'], string> = {
  none: 'no credential',
  token: 'API token',
  token_or_none: 'API token, or none',
  token_or_claim: 'API token or claim token',
  claim: 'claim token',
  secret: 'board secret',
  operator: "an operator's API token",
  session: 'a browser that is signed in',
  own_page: 'from our own pages',
};

/** /docs/api: every operation, to read; made of the same schemas as /api/openapi.json. */
export function mountApiReference(scope: PageScope): void {
  let body: Html | null = null;
  scope.get('/docs/api', async () => {
    body ??= reference();
    return { title: 'API', wide: true, index: true, body };
  });
}

function reference(): Html {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return html`<h1>The API</h1>
<p>Times are ISO 8601 in UTC. Send an API token as <code>Authorization: Bearer sp_token_…</code>. The same in a form for
programs: <a href="/api/openapi.json">openapi.json</a>.</p>
<nav aria-label="Operations"><ul>${tags.map(
    (tag) =>
      html`<li>${tag}: ${operations.filter((operation) => operation.tag === tag).map(({ id }) => html`<a href="#${id}">${id}</a> `)}</li>`,
  )}</ul></nav>
${(operations as readonly Operation[]).map(describe)}
<h2 id="errors">Errors</h2>
<div class="scroll"><table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>
${Object.entries(errorTable).map(([code, { status, meaning }]) => html`<tr><td><code>${code}</code></td><td>${status}</td><td>${meaning}</td></tr>`)}
</tbody></table></div>`;
}

function describe(operation: Operation): Html {
  const { id, method, path, summary, credential, query, body, answers, errors } = operation;
  return html`<section id="${id}"><h2><code>${method} ${path}</code></h2>
<p>${summary} <span class="quiet">(${credentials[credential]})</span></p>
${query && html`<h3>Query</h3>${schemaOf(query, 'input')}`}
${body && html`<h3>Body</h3>${schemaOf(body, 'input')}`}
${Object.entries(answers).map(([status, schema]) => html`<h3>Answers ${status}</h3>${schemaOf(schema, 'output')}`)}
${errors.length > 0 && html`<h3>Errors</h3><p>${errors.map(errorLink)}</p>`}</section>`;
}

function errorLink(code: ErrorCode): Html {
  return html`<code title="${errorTable[code].meaning}">${errorTable[code].status} ${code}</code> `;
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Html {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return html`<details><summary>Schema</summary><pre><code>${JSON.stringify(json, null, 2)}</code></pre></details>`;
}
