/** What other tools call our commands. */
const commandsOfOthers: Readonly<Record<string, string>> = {
  auth: 'login',
  create: 'init',
  deploy: 'publish',
  'go-live': 'promote',
  info: 'status',
  list: 'spaces',
  log: 'errors',
  logs: 'errors',
  ls: 'spaces',
  new: 'init',
  open: 'status',
  projects: 'spaces',
  push: 'publish',
  signin: 'login',
  sites: 'spaces',
  upload: 'publish',
  version: '--version',
};

/**
 * Returns an error about a mistyped command with suggestions that fit: of a command by the name that other tools
 * have for it, or of `publish` for a folder; and none of a destructive command.
 * @param argv the command line, whose first word may be such a name; a later one is a command of a group
 */
export function withSuggestion(text: string, argv: readonly string[]): string {
  const word = /^error: unknown command '(.*)'/u.exec(text)?.[1];
  const first = argv.find((each) => !each.startsWith('-'));
  const meant = word === undefined || word !== first ? undefined : meantBy(word);
  if (word !== undefined && meant !== undefined)
    return `error: unknown command '${word}'\n(Did you mean ${meant}?)${text.endsWith('\n') ? '\n' : ''}`;
  return text.replaceAll(
    /\n?\(Did you mean [^()]*\b(?:delete|delete-version|reset|offline|revoke|remove)\b[^()]*\)/gu,
    '',
  );
}

function meantBy(word: string): string | undefined {
  if (Object.hasOwn(commandsOfOthers, word)) return commandsOfOthers[word];
  return /[./\\]/u.test(word) || /^(?:dist|build|out|public)$/u.test(word) ? `publish ${word}` : undefined;
}
