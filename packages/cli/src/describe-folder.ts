import { deviceTypes, spaceTypes } from '@spaceport/contract/spaces';
import { guessFields } from './guess-fields.ts';
import type { Output } from './output.ts';
import type { Overrides, Project } from './project.ts';
import { Questions } from './questions.ts';

/** What a listing needs, as flags say it. */
export interface Description {
  title: string;
  type: string;
  devices: string;
}

/** What was said about a folder, by flags and then by its service.json; undefined if nobody said anything. */
export function saidOf({ settings }: Pick<Project, 'settings'>, flags: Overrides): Partial<Description> {
  const said = {
    title: flags.title ?? settings.title,
    type: flags.type ?? settings.space_type,
    devices: flags.devices ?? settings.devices?.join(','),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** What was said, and for the rest what the folder tells of itself. */
export function guessedDescription(folder: string, said: Partial<Description>): Description {
  const guess = guessFields(folder);
  return {
    title: said.title ?? guess.title,
    type: said.type ?? 'game',
    devices: said.devices ?? guess.devices.join(','),
  };
}

/** Asks for what was not said, with the guesses to take by Enter. Only for `output.interactive`. */
export async function askDescription(
  output: Output,
  signal: AbortSignal,
  folder: string,
  said: Partial<Description>,
): Promise<Description> {
  const guess = guessedDescription(folder, said);
  const questions = new Questions(output.streams, signal);
  try {
    const title = said.title ?? (await questions.ask('Title', guess.title));
    const type = said.type ?? (await questions.ask('Type', guess.type, spaceTypes));
    const devices =
      said.devices ?? (await questions.ask('Devices', guess.devices, deviceTypes, { several: true }));
    return { title, type, devices };
  } finally {
    questions.close();
  }
}

/** Says what was guessed, so that nobody is surprised by their listing. Nothing if all was said. */
export function noteGuesses(
  output: Output,
  { title, type, devices }: Description,
  said: Partial<Description>,
): void {
  if (Object.keys(said).length === 3) return;
  output.note(
    `It is published as “${title}” (${type}; ${devices}). To change that: --title, --type and --devices.`,
  );
}
