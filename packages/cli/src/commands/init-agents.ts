import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '@spaceport/client/node/state-folder';
import { agentsPart, withAgentsPart } from '../agents-part.ts';
import { CliError } from '../cli-error.ts';
import { type Context, serverOf } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { folderAt } from '../project.ts';
import { readText } from '../read-text.ts';
import { tryWriting } from '../writing.ts';

const fileName = 'AGENTS.md';

/** Writes or renews the part of a project's AGENTS.md that tells a coding agent how to publish it. */
export function initAgents(context: Context, folderArgument: string): void {
  const file = join(folderAt(context.cwd, folderArgument), fileName);
  const text = existsSync(file) ? readText(file, 'invalid_config') : '';
  const renewed = withAgentsPart(text, agentsPart(serverOf(context)));
  if (renewed === null)
    throw new CliError(
      exitCodes.invalid,
      'invalid_config',
      `The begin and end marks of Spaceport in ${file} do not match.`,
      {
        next: 'Remove the lines with «spaceport: begin» and «spaceport: end», and run this again.',
      },
    );
  const changed = renewed !== text;
  if (changed) tryWriting(file, () => writeWhole(file, renewed));
  context.output.result(
    { file, changed },
    changed ? `Wrote how to publish into ${file}.` : `${file} already says how to publish.`,
  );
}
