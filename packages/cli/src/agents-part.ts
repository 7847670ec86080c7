import { cliLine } from '@spaceport/contract/cli-line';

const begin = '<!-- spaceport: begin. Written by init --agents; what is outside of it is left alone. -->';
const end = '<!-- spaceport: end -->';

/**
 * Returns the part of an AGENTS.md about publishing to a service: when, by which command, and how to fix
 * findings.
 */
export function agentsPart(server: string): string {
  return `${begin}
## Publishing

When the work is to be seen, played or shared, publish the folder with the built files (build first):

    ${cliLine(server, 'publish ./dist --json')}

Without an account add \`--anonymous\`. Stdout is one JSON document; stderr is for people.

1. Read \`report.findings\` and \`report.page\`, also where the version is a preview or live: each \`fix\` says what to change.
2. Mend the sources, build, and run the same command again: the same page gets the next version.
3. Stop when no finding is left that matters and \`report.page\`, where there is one, has \`loaded: true\`, \`blank: false\` and no \`errors\`.
4. Give the person \`pageUrl\`; without an account \`claimUrl\` too, by which they keep the page.

Only when the person asks for it: \`--live\` makes it live. On an error do what \`error.next\` says. Scores, achievements and
saves: ${server}/docs/players.md. Everything else: ${server}/llms.txt
${end}`;
}

/**
 * Returns a file's text with the part in it, in place of an older part or at the end. All other characters
 * are unchanged. Returns null if the marks of an older part are not one begin and one end in that order.
 */
export function withAgentsPart(text: string, part: string): string | null {
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from === -1 && to === -1) {
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    if (text === '') return part + eol;
    return text + (text.endsWith('\n') ? '' : eol) + eol + withEnds(part, eol) + eol;
  }
  const isWhole = from !== -1 && to > from;
  if (!isWhole || text.indexOf(begin, from + 1) !== -1 || text.indexOf(end, to + 1) !== -1) return null;
  const older = text.slice(from, to + end.length);
  const written = withEnds(part, older.includes('\r\n') ? '\r\n' : '\n');
  return text.slice(0, from) + written + text.slice(from + older.length);
}

function withEnds(part: string, eol: string): string {
  return part.replaceAll('\n', eol);
}
