export type Command =
  | { readonly name: 'start'; readonly role: 'all' | 'serve' | 'work' }
  | { readonly name: 'config'; readonly format: 'print' | 'markdown' }
  | { readonly name: 'migrate' | 'help' }
  | { readonly name: 'admin'; readonly arguments: readonly string[] };

/** An error that the person at the terminal can fix. It is printed without a stack. */
export class CommandError extends Error {
  override name = 'CommandError';
}

export const usage = `spaceport-server [command]

  (none), all        answer requests and run background jobs: a whole service
  serve              only answer requests
  work               only run background jobs
  migrate            bring the database to the newest schema, then end
  config --print     the settings in force (secrets left out); --markdown: the table of all settings
  admin …            accounts, spaces, reviews, backups, checks of the data; «admin help» lists the calls

Settings are environment variables: docs/self-hosting.md.`;

/** @throws `CommandError` also for a word that a command does not take: a setting is no option */
export function readCommand(words: readonly string[]): Command {
  const [name = 'all', ...rest] = words;
  const [first] = rest;
  if (name === 'help' || name === '--help' || name === '-h') return { name: 'help' };
  if (name === 'admin') return { name: 'admin', arguments: rest };
  if (asksForHelp(rest)) return { name: 'help' };
  switch (name) {
    case 'all':
    case 'serve':
    case 'work':
      refuse(name, first);
      return { name: 'start', role: name };
    case 'migrate':
      refuse(name, first);
      return { name: 'migrate' };
    case 'config':
      refuse(
        name,
        rest.find((word) => word !== '--print' && word !== '--markdown'),
      );
      return { name: 'config', format: first === '--markdown' ? 'markdown' : 'print' };
    default:
      throw new CommandError(`«${name}» is not a command.\n\n${usage}`);
  }
}

/** Returns whether somebody wants to read how a command is called. */
export function asksForHelp(words: readonly string[]): boolean {
  return words.includes('--help') || words.includes('-h');
}

function refuse(command: string, word: string | undefined): void {
  if (word !== undefined) throw new CommandError(`«${command}» does not take «${word}».\n\n${usage}`);
}
