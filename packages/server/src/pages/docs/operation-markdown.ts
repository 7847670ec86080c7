import { operationPage } from '@spaceport/contract/doc-paths';
import { errorsOf, type Operation, statusOf } from '@spaceport/contract/operation';
import { callLines, credentialWords } from '../reference/call.ts';
import { answersOf, bodyOf, type Described, givenIn } from '../reference/described.ts';
import { nameOf, resolved, type Schema, type Schemas } from '../reference/schema.ts';
import type { DescribedGroup } from './description.ts';
import { fieldLines, fieldText, typeText, type Writing } from './schema-text.ts';

interface Book {
  readonly app: string;
  readonly schemas: Schemas;
}

/**
 * Returns the page of a group: for each operation its summary, its input and answer in a line, and a link to
 * its page.
 */
export function groupMarkdown({ tag, operations }: DescribedGroup, { app, schemas }: Book): string {
  const edge = operations.some(({ operation }) => operation.edge === 'hosting')
    ? 'Fields are camelCase; a refusal is `{ error: "A sentence.", code, next? }`.'
    : 'Fields are snake_case; a refusal is `{ error: "code", message, next? }`.';
  const parts = operations.map(
    ({ operation, described }) => `## ${operation.id}

\`${operation.method} ${operation.path}\` · ${credentialWords(operation)}

${firstSentence(operation.summary)} ${shapeOf(described, schemas)}[All fields](${app}${operationPage(operation)})
`,
  );
  return `# API: ${tag}

Paths begin with ${app}. ${edge} [Errors](${app}/docs/errors.md), [other groups](${app}/docs/api.md).

${parts.join('\n')}`;
}

/** Returns the fields of the body and of the answer: `{ a, b? }` → 201 `{ c }`. */
function shapeOf(described: Described, schemas: Schemas): string {
  const sent = bodyOf(described);
  const query = givenIn(described, 'query').map(({ name }) => name);
  const words = [
    ...(query.length > 0 ? [`Query \`${query.join(', ')}\`.`] : []),
    ...(sent ? [`Body \`${outline(sent, schemas)}\`.`] : []),
    ...answersOf(described).map(({ status, schema }) => `${status} \`${outline(schema, schemas)}\`.`),
  ];
  return words.map((each) => `${each} `).join('');
}

function outline(schema: Schema, schemas: Schemas): string {
  const name = nameOf(schema);
  const { properties, required = [], anyOf } = resolved(schema, schemas);
  if (name !== null) return name;
  if (anyOf) return anyOf.map((each) => outline(each, schemas)).join(' or ');
  const names = Object.keys(properties ?? {});
  return `{ ${names.map((each) => (required.includes(each) ? each : `${each}?`)).join(', ')} }`;
}

/** Longer pages only name their objects, and the objects' fields are on separate pages. */
const maxPageBytes = 7_000;
export const objectsPath = '/docs/api/objects/';

/** Returns the page of an operation: its input, answers, errors, and a call to copy. */
export function operationMarkdown(operation: Operation, described: Described, book: Book): string {
  const whole = writeOperation(operation, described, book, new Set());
  if (Buffer.byteLength(whole) < maxPageBytes) return whole;
  const text = writeOperation(operation, described, book, new Set(Object.keys(book.schemas)));
  return `${text}Objects with a name have their fields on pages of their own: ${book.app}${objectsPath}FileEntry.md, and so on.\n`;
}

/** Returns the page of an object of a body or an answer. */
export function objectMarkdown(name: string, schema: Schema, { schemas }: Book): string {
  const lines = listed(schema, { schemas, written: new Set([name]) });
  return `# ${name}\n\n${schema.description ?? `What operations of the API name ${name}.`}\n\n${lines.join('\n')}\n`;
}

function writeOperation(
  operation: Operation,
  described: Described,
  { app, schemas }: Book,
  written: Set<string>,
): string {
  const { id, method, path } = operation;
  const writing: Writing = { schemas, written };
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `\n## ${title}\n\n${lines.join('\n')}\n`;
  const given = (where: 'path' | 'query') =>
    givenIn(described, where).map(
      ({ name, schema, required }) => `- ${fieldText(name, schema, required, writing)}`,
    );
  const sent = bodyOf(described);
  const answers = answersOf(described).map(({ status, schema }) =>
    section(`Answer ${status}`, listed(schema, writing)),
  );
  return `# ${id}

\`${method} ${app}${path}\` · ${credentialWords(operation)}

${described.description ?? operation.summary}
${section('Path', given('path'))}${section('Query', given('query'))}${sent ? section('Body', listed(sent, writing)) : ''}${section(
  'Call',
  callLines(operation, described, { schemas, app }).map((each) => `    ${each}`),
)}${answers.join('')}${section('Refusals', refusals(operation))}
What each code means: ${app}/docs/errors.md
`;
}

/** The lines of a schema; a named schema begins with its name. */
function listed(schema: Schema, writing: Writing): string[] {
  const lines = fieldLines(schema, writing);
  return lines.length > 0 ? lines : [typeText(schema)];
}

function refusals(operation: Operation): string[] {
  const byStatus = Map.groupBy(errorsOf(operation), (code) => statusOf(operation, code));
  return [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, codes]) => `- ${status}: ${codes.map((code) => `\`${code}\``).join(', ')}`);
}

function firstSentence(text: string): string {
  return /^.+?\.(?= |$)/u.exec(text)?.[0] ?? text;
}
