import { commandLine } from './origin.ts';

/** Example lines for the help of each command, without the words that start the command line. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  login: ['login', 'login --start', 'login --finish', 'login --token - < token.txt'],
  logout: ['logout'],
  whoami: ['whoami --json'],
  init: ['init ./my-game --type game --devices desktop,mobile', 'init --agents'],
  publish: [
    'publish ./dist',
    'publish ./dist --live',
    "publish ./dist --anonymous --title 'Moon Hopper' --json",
  ],
  promote: ['promote 3'],
  spaces: ['spaces', 'spaces --deleted'],
  status: ['status', 'status 3 --space moon-hopper --json'],
  versions: ['versions', 'versions --space moon-hopper'],
  rollback: ['rollback 2', 'rollback 2 --space moon-hopper'],
  preview: ['preview 3'],
  review: ['review 3'],
  mcp: ['mcp'],
  'boards get': ['boards get', 'boards get --json > boards.json'],
  'boards put': ['boards put', 'boards put boards.json --space moon-hopper'],
  'achievements get': ['achievements get', 'achievements get --json > achievements.json'],
  'achievements put': ['achievements put', 'achievements put achievements.json --space moon-hopper'],
  'secret issue': ['secret issue > secret.txt'],
  'secret status': ['secret status'],
  'bans list': ['bans list --json'],
  'bans add': ['bans add ada'],
  'bans lift': ['bans lift ada'],
  'scores delete': ['scores delete 1234'],
  'scores clear': [
    'scores clear --of 3 --dry-run',
    'scores clear --player ada --board high',
    'scores clear --from 2026-01-31 --to 2026-02-01T12:00:00Z --yes',
  ],
  'content list': ['content list --reported', 'content list --kind level --json'],
  'content show': ['content show ID'],
  'content delete': ['content delete ID'],
  plays: ['plays', 'plays --sandbox'],
  errors: ['errors', 'errors --of 3', 'errors ID --resolve'],
  offline: ['offline --space moon-hopper'],
  online: ['online --space moon-hopper'],
  delete: ['delete --space moon-hopper'],
  restore: ['restore --space moon-hopper'],
  'delete-version': ['delete-version 3'],
  reset: ['reset --category scores,saves --player ada', 'reset --yes'],
  'webhooks list': ['webhooks list --json > webhooks.json'],
  'webhooks set': ['webhooks set webhooks.json'],
  'webhooks test': ['webhooks test ID'],
  'webhooks deliveries': ['webhooks deliveries ID'],
  'webhooks resend': ['webhooks resend ID DELIVERY'],
  'domain show': ['domain show'],
  'domain set': ['domain set games.example.org'],
  'domain remove': ['domain remove'],
};

/** Returns the part of a command's help with its examples, as they are typed. */
export function examplesHelp(name: string): string {
  const lines = examples[name] ?? [];
  return [
    '',
    lines.length === 1 ? 'Example:' : 'Examples:',
    ...lines.map((line) => `  ${commandLine(line)}`),
  ].join('\n');
}
