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
  admin …            accounts and tokens; «admin help» lists the calls

Settings are environment variables: docs/self-hosting.md.`;

export function readCommand(words: readonly string[]): Command {
  const [name = 'all', ...rest] = words;
  switch (name) {
    case 'all':
    case 'serve':
    case 'work':
      return { name: 'start', role: name };
    case 'migrate':
      return { name: 'migrate' };
    case 'config':
      return { name: 'config', format: rest.includes('--markdown') ? 'markdown' : 'print' };
    case 'admin':
      return { name: 'admin', arguments: rest };
    case 'help':
    case '--help':
    case '-h':
      return { name: 'help' };
    default:
      throw new CommandError(`«${name}» is not a command.\n\n${usage}`);
  }
}
