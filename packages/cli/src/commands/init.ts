import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CliError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { askDescription, guessedDescription, saidOf } from '../describe-folder.ts';
import { exitCodes } from '../exit-codes.ts';
import { guessFields } from '../guess-fields.ts';
import { quoted } from '../names-again.ts';
import { commandLine } from '../origin.ts';
import { detailsOf, openProject, projectFileName, writeProject } from '../project.ts';

export interface InitFlags {
  title?: string;
  type?: string;
  devices?: string;
  tags?: string;
  description?: string;
  yes?: boolean;
  agents?: boolean;
}

/** Writes a service.json from the flags, from answers on a terminal, and from guesses. */
export async function init(context: Context, folderArgument: string, flags: InitFlags): Promise<void> {
  const { output, signal } = context;
  const folder = resolve(context.cwd, folderArgument);
  const file = join(folder, projectFileName);
  if (existsSync(file)) {
    throw new CliError(exitCodes.invalid, 'exists', `${file} exists already.`, {
      next: 'Edit it instead.',
    });
  }
  // This also throws if there is no such folder.
  const project = { ...openProject(folder, '.'), file, root: folder, exists: false, settings: {} };
  const said = saidOf(project, flags);
  const answers =
    output.interactive && !flags.yes
      ? await askDescription(output, signal, folder, said)
      : guessedDescription(folder, said);
  const { fields } = detailsOf(project, {
    ...answers,
    tags: flags.tags,
  });
  const description = flags.description ?? guessFields(folder).description;
  const settings = { ...fields, ...(description !== undefined && { description }) };
  writeProject(project, settings);
  output.result(
    { file, ...settings },
    `Wrote ${file}\nYour editor explains every other field. Publish a preview with: ${commandLine(`publish${folderArgument === '.' ? '' : ` ${quoted(folderArgument)}`}`)}`,
  );
}
