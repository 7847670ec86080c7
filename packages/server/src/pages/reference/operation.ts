import { errorTable } from '@spaceport/contract/errors';
import { errorsOf, type Operation, statusOf } from '@spaceport/contract/operation';
import { type Html, html } from '../html.ts';
import { callLines, credentialWords } from './call.ts';
import { answersOf, bodyOf, type Described, givenIn } from './described.ts';
import { exampleOf } from './example.ts';
import { fieldList, fieldOf, marked } from './fields.ts';
import type { Schemas } from './schema.ts';

/** Returns the section of an operation: its input and answers beside an example call. */
export function operationSection(
  operation: Operation,
  described: Described,
  { schemas, app }: { schemas: Schemas; app: string },
): Html {
  const { id, method, path, summary, more, media } = operation;
  const sent = { schemas, isSent: true };
  const answered = { schemas, isSent: false };
  const list = (where: 'path' | 'query') => {
    const these = givenIn(described, where);
    if (these.length === 0) return null;
    return html`<h4>${where === 'path' ? 'Path' : 'Query'}</h4><dl class="fields">${these.map(
      ({ name, schema, required }) => fieldOf(name, schema, required, sent),
    )}</dl>`;
  };
  const body = bodyOf(described);
  const answers = answersOf(described);
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-name">
<h3 id="${id}-name"><a href="#${id}"><span class="method method--${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code></a></h3>
<div class="operation-text">
<p>${marked([summary, more].filter((each) => each !== undefined).join(' '))}</p>
<p class="quiet small"><code>${id}</code> · ${marked(credentialWords(operation))}</p>
${list('path')}${list('query')}
${body && html`<h4>Body</h4>${fieldList(body, sent)}`}${media && html`<h4>Body</h4><p>The file itself, with its <code>content-type</code>: ${marked(media.map((type) => `\`${type}\``).join(', '))}.</p>`}
${answers.map(({ status, schema }) => html`<h4>Answers ${status}</h4>${fieldList(schema, answered)}`)}
${errorList(operation)}
</div>
<div class="operation-example">${call(operation, described, { schemas, app })}${answers
    .slice(0, 1)
    .map(({ status, schema }) => {
      const example = exampleOf(schema, schemas, { whole: true });
      return block(`Answer ${status}`, JSON.stringify(example, null, 2));
    })}</div>
</section>`;
}

function errorList(operation: Operation): Html {
  const errors = errorsOf(operation)
    .map((code) => ({ code, status: statusOf(operation, code), meaning: errorTable[code].meaning }))
    .sort((a, b) => a.status - b.status);
  return html`<details><summary>Errors <span class="quiet">(${errors.length})</span></summary><dl class="fields">${errors.map(
    ({ code, status, meaning }) =>
      html`<div><dt><code>${code}</code> <span class="field-type">${status}</span></dt><dd><p>${marked(meaning)}</p></dd></div>`,
  )}</dl></details>`;
}

function call(
  operation: Operation,
  described: Described,
  around: { schemas: Schemas; app: string },
): Html | null {
  const lines = callLines(operation, described, around);
  if (lines.length > 0) return block('Call', lines.join('\n'));
  return html`<p class="quiet small">For the service’s own pages: the browser’s session stands for the account.</p>`;
}

function block(label: string, code: string): Html {
  return html`<figure class="example"><figcaption>${label}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`;
}

/** Returns a path that may wrap after a slash. */
function breakable(path: string): Html {
  return html`${path.split('/').map((part, index) => (index === 0 ? part : html`/<wbr>${part}`))}`;
}
