import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { deviceTypes, spaceTypes } from '@spaceport/contract/spaces';
import { CliError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { guessFields } from '../guess-fields.ts';
import { detailsOf, openProject, projectFileName, writeProject } from '../project.ts';
import { Questions } from '../questions.ts';

export interface InitFlags {
  title?: string;
  type?: string;
  devices?: string;
  description?: string;
  yes?: boolean;
}

/** Writes a service.json: from the flags, from answers on a terminal, and from what the folder tells. */
export async function init(context: Context, folderArgument: string, flags: InitFlags): Promise<void> {
  const { output, signal } = context;
  const folder = resolve(context.cwd, folderArgument);
  const file = join(folder, projectFileName);
  if (existsSync(file)) {
    throw new CliError(exitCodes.invalid, 'exists', `${file} is there already.`, {
      next: 'Edit it instead.',
    });
  }
  // Also says when there is no such folder.
  const project = { ...openProject(folder, '.'), file, root: folder, exists: false, settings: {} };
  const guess = guessFields(folder);
  const answers = {
    title: flags.title ?? guess.title,
    type: flags.type ?? 'game',
    devices: flags.devices ?? guess.devices.join(','),
  };
  if (output.interactive && !flags.yes) {
    const questions = new Questions(output.streams, signal);
    try {
      if (flags.title === undefined) answers.title = await questions.ask('Title', answers.title);
      if (flags.type === undefined) answers.type = await questions.ask('Type', answers.type, spaceTypes);
      if (flags.devices === undefined) {
        answers.devices = await questions.ask('Devices', answers.devices, deviceTypes, { several: true });
      }
    } finally {
      questions.close();
    }
  }
  const { fields } = detailsOf(project, answers);
  const description = flags.description ?? guess.description;
  const settings = { ...fields, ...(description !== undefined && { description }) };
  writeProject(project, settings);
  output.result(
    { file, ...settings },
    `Wrote ${file}\nYour editor explains every other field. Publish a preview with: spaceport publish`,
  );
}
