import { type ErrorCode, errorTable } from '@spaceport/contract/errors';

/** Returns a page with every error code and the forms of error bodies. */
export function errorsMarkdown(app: string): string {
  const byStatus = Map.groupBy(Object.keys(errorTable) as ErrorCode[], (code) => errorTable[code].status);
  const groups = [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(
      ([status, codes]) =>
        `## ${status}\n\n${codes.map((code) => `- \`${code}\`: ${errorTable[code].meaning}`).join('\n')}\n`,
    );
  return `# Errors

Refusals are JSON. Under ${app}/api/v1/hosting: \`{ "error": "A sentence.", "code": "…" }\`; everywhere else
\`{ "error": "code", "message": "A sentence." }\`. Beside them:

- \`next\`: what helps, in one sentence with an address or a command. Do that first.
- \`issues\`: \`[{ "path": "boards.0.sort", "message": "must be …" }]\`, one entry for each field that is wrong.
- \`paths\`, \`fields\`, \`files\`, \`scope\`, \`url\`, \`snippet\` and others, as the code says.

401 carries \`WWW-Authenticate\`; 429 and 503 carry \`Retry-After\` in seconds. An operation may answer a code with another status than
the one here: its own page says so. The command line has the same in \`error\`, with an exit code.

${groups.join('\n')}`;
}
