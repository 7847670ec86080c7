import { operationPage } from '@spaceport/contract/doc-paths';
import { describeAll } from './description.ts';
import { docFiles, readDoc } from './doc-files.ts';
import { errorsMarkdown } from './errors-markdown.ts';
import { exampleFiles } from './example-files.ts';
import { forAccountsOnly } from './needs-account.ts';
import { groupMarkdown, objectMarkdown, objectsPath, operationMarkdown } from './operation-markdown.ts';

/**
 * Makes all documents of a service, by path: Markdown pages, and the examples that they name. They are some
 * hundred, made at the first request for one.
 * @param needsAccount whether nobody publishes without an account
 */
export async function makeDocPages(app: string, needsAccount: boolean): Promise<ReadonlyMap<string, string>> {
  const served = { ...docFiles, ...(await exampleFiles()) };
  const files = await Promise.all(
    Object.entries(served).map(async ([path, file]) => {
      const text = await readDoc(file, app, served);
      return [path, needsAccount ? forAccountsOnly(path, text) : text] as const;
    }),
  );
  const pages = new Map(files).set('/docs/errors.md', errorsMarkdown(app));
  const { groups, description } = describeAll();
  const book = { app, schemas: description.components.schemas };
  const index = groups.map(
    ({ tag, name, operations }) =>
      `- [${tag}](${app}/docs/api/${name}.md): ${operations.map(({ operation }) => operation.id).join(', ')}`,
  );
  pages.set('/docs/api.md', apiIndex(app, index));
  for (const group of groups) {
    pages.set(`/docs/api/${group.name}.md`, groupMarkdown(group, book));
    for (const { operation, described } of group.operations)
      pages.set(operationPage(operation), operationMarkdown(operation, described, book));
  }
  for (const [name, schema] of Object.entries(book.schemas))
    pages.set(`${objectsPath}${name}.md`, objectMarkdown(name, schema, book));
  return pages;
}

function apiIndex(app: string, groups: readonly string[]): string {
  return `# The API

Base address ${app}. Bodies and answers are JSON; times are ISO 8601 in UTC. The same for programs: [creators, games and everyone](${app}/api/openapi.json),
[operators](${app}/api/openapi/operator.json), [the service's own pages](${app}/api/openapi/pages.json). To read in a browser: ${app}/docs/api
Objects have pages too: ${app}${objectsPath}Version.md.

| credential | sent as | |
| --- | --- | --- |
| API token | \`authorization: Bearer sp_token_…\` | acts for one creator, within its scopes: \`POST ${app}/api/agent/login\` starts a sign-in |
| claim token | \`x-service-claim: sp_claim_…\` | goes on with a page that was published without an account |
| board secret | \`authorization: Bearer sp_secret_…\` | speaks for one space, from its own server |
| a browser's session | a cookie | from the service's own pages alone |

A page for each group, and in it one for each operation:

${groups.join('\n')}

Codes of refusals: ${app}/docs/errors.md
`;
}
