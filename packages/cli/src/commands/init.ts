import { CliError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { askDescription, guessedDescription, saidOf } from '../describe-folder.ts';
import { exitCodes } from '../exit-codes.ts';
import { withEntry } from '../guess-entry.ts';
import { guessFields } from '../guess-fields.ts';
import { commandLine } from '../origin.ts';
import { detailsOf, folderAt, openProject, writeProject } from '../project.ts';
import { quoted } from '../quoted.ts';
import { tryWriting } from '../writing.ts';

export interface InitFlags {
  title?: string;
  type?: string;
  devices?: string;
  tags?: string;
  description?: string;
  yes?: boolean;
  agents?: boolean;
}

/**
 * Writes a service.json from the flags, from answers on a terminal, and from guesses: where a publish of the folder
 * looks for it and no build deletes it.
 */
export async function init(context: Context, folderArgument: string, flags: InitFlags): Promise<void> {
  const { output, signal } = context;
  const folder = folderAt(context.cwd, folderArgument);
  // From the folder itself: the service.json of the current folder may be another project's.
  const project = withEntry(output, openProject(folder, '.'));
  const { file } = project;
  if (project.exists) {
    throw new CliError(exitCodes.invalid, 'exists', `${file} exists already.`, {
      next: 'Edit it instead.',
    });
  }
  const said = saidOf(project, flags);
  const answers =
    output.interactive && !flags.yes
      ? await askDescription(output, signal, project, said)
      : guessedDescription(project, said);
  const { fields } = detailsOf(project, {
    ...answers,
    tags: flags.tags,
  });
  const description = flags.description ?? guessFields(folder, project.settings.entry).description;
  const { entry } = project.settings;
  const settings = {
    ...fields,
    ...(description !== undefined && { description }),
    ...(entry !== undefined && { entry }),
  };
  tryWriting(file, () => writeProject(project, settings));
  output.result(
    { file, ...settings },
    `Wrote ${file}\nYour editor explains every other field. Publish a preview with: ${commandLine(`publish${folderArgument === '.' ? '' : ` ${quoted(folderArgument)}`}`)}`,
  );
}
