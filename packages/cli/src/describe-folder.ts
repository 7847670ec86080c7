import { deviceTypes, spaceTypes } from '@spaceport/contract/spaces';
import { guessFields } from './guess-fields.ts';
import type { Output } from './output.ts';
import type { Overrides, Project } from './project.ts';
import { Questions } from './questions.ts';

/** The required fields of a listing, named as the flags. */
export interface Description {
  title: string;
  type: string;
  devices: string;
}

/**
 * Returns the given fields of a folder, from flags first and then from its service.json; undefined if there
 * are none.
 */
export function saidOf({ settings }: Pick<Project, 'settings'>, flags: Overrides): Partial<Description> {
  const said = {
    title: flags.title ?? settings.title,
    type: flags.type ?? settings.space_type,
    devices: flags.devices ?? settings.devices?.join(','),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** A folder with its page that opens, from which fields are guessed. */
type Described = Pick<Project, 'folder' | 'settings'>;

/** Returns the given fields, with guesses from the folder for the others. */
export function guessedDescription({ folder, settings }: Described, said: Partial<Description>): Description {
  const guess = guessFields(folder, settings.entry);
  return {
    title: said.title ?? guess.title,
    type: said.type ?? 'game',
    devices: said.devices ?? guess.devices.join(','),
  };
}

/** Asks for the missing fields; Enter accepts a guess. Only for `output.interactive`. */
export async function askDescription(
  output: Output,
  signal: AbortSignal,
  described: Described,
  said: Partial<Description>,
): Promise<Description> {
  const guess = guessedDescription(described, said);
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

/**
 * Prints the guessed fields, so that nobody is surprised by their listing. Prints nothing if all fields were
 * given.
 */
export function noteGuesses(
  output: Output,
  { title, type, devices }: Description,
  said: Partial<Description>,
): void {
  if (Object.keys(said).length === 3) return;
  output.note(
    `It will be published as “${title}” (${type}; ${devices}). To change that: --title, --type and --devices.`,
  );
}
