import { type Project, spaceIn } from './project.ts';
import { quoted } from './quoted.ts';

/** What a command that is printed after a publish has to name, so that it works in the folder it is printed in. */
export interface NamesAgain {
  /** Words after `publish`, each with a space before: the folder and its service.json, as they were given. */
  readonly folder: string;
  /** ` --space SLUG`, or nothing where the current folder has the space's service.json. */
  readonly space: string;
}

interface Published {
  readonly cwd: string;
  /** The folder as it was given. */
  readonly folder: string;
  readonly project: Pick<Project, 'root' | 'file'>;
  readonly flags: { readonly space?: string | undefined; readonly config?: string | undefined };
  readonly slug: string;
}

export function namesFor({ cwd, folder, project, flags, slug }: Published): NamesAgain {
  // A space that a flag named is not written into service.json, nor is any if the file cannot be written.
  const isWritten = flags.space === undefined && spaceIn(project.file) === slug;
  const words = [
    ...(folder === '.' ? [] : [folder]),
    ...(flags.config === undefined ? [] : ['--config', flags.config]),
    ...(isWritten ? [] : ['--space', flags.space ?? slug]),
  ];
  const isHere = project.root === cwd && isWritten && flags.config === undefined;
  return {
    folder: words.map((word) => ` ${quoted(word)}`).join(''),
    space: isHere ? '' : ` --space ${slug}`,
  };
}
