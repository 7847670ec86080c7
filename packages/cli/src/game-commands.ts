import { type Command, Option } from 'commander';
import type { ContentFlags } from './commands/content.ts';
import type { ErrorsFlags } from './commands/errors.ts';
import type { PlaysFlags } from './commands/plays.ts';
import type { ResetFlags } from './commands/reset.ts';
import type { ClearFlags } from './commands/scores.ts';
import type { Context } from './context.ts';

export type Flags = { server?: string; space?: string; json?: boolean };
type Sure = Flags & { yes?: boolean };

/** Functions to build the program: they add a command under a parent, and run its action. */
export interface ProgramParts {
  command(name: string, description: string, parent?: Command): Command;
  group(name: string, description: string): Command;
  spaceOption(): Option;
  run(flags: Flags, action: (context: Context) => unknown): Promise<void>;
}

/** Adds the commands for games: boards, achievements, the secret, players, their content, and the sandbox. */
export function addGameCommands({ command, group, spaceOption, run }: ProgramParts): void {
  const ofSpace = (parent: Command, name: string, description: string) =>
    command(name, description, parent).addOption(spaceOption());
  const file = [
    '[file]',
    'JSON as `get --json` prints it, or - for stdin; default: service.json in the current folder',
  ] as const;
  const yes = (what: string) => new Option('-y, --yes', `${what}; needed where nobody can be asked`);

  const boards = group('boards', 'The leaderboards of a space.');
  ofSpace(boards, 'get', 'Show every board.').action((flags: Flags) =>
    run(flags, async (context) => (await import('./commands/boards.ts')).getBoards(context, flags)),
  );
  ofSpace(boards, 'put', 'Write the boards in the file; the others stay.')
    .argument(...file)
    .action((path: string | undefined, flags: Flags) =>
      run(flags, async (context) => (await import('./commands/boards.ts')).putBoards(context, path, flags)),
    );

  const achievements = group('achievements', 'The stats and achievements of a space.');
  ofSpace(achievements, 'get', 'Show every stat and achievement.').action((flags: Flags) =>
    run(flags, async (context) =>
      (await import('./commands/achievements.ts')).getAchievements(context, flags),
    ),
  );
  ofSpace(achievements, 'put', 'Write the stats and achievements in the file; the others stay.')
    .argument(...file)
    .action((path: string | undefined, flags: Flags) =>
      run(flags, async (context) =>
        (await import('./commands/achievements.ts')).putAchievements(context, path, flags),
      ),
    );

  const secret = group('secret', "The secret that a space's own server posts scores with.");
  ofSpace(secret, 'issue', 'Issue a new secret, which replaces the old one. It is shown only now.')
    .addOption(yes('replace the current one without asking'))
    .action((flags: Sure) =>
      run(flags, async (context) => (await import('./commands/secret.ts')).issueSecret(context, flags)),
    );
  ofSpace(secret, 'status', 'Show when it was issued and replaced.').action((flags: Flags) =>
    run(flags, async (context) => (await import('./commands/secret.ts')).secretStatus(context, flags)),
  );

  const bans = group('bans', 'The players banned from the boards of a space.');
  ofSpace(bans, 'list', 'Show who is banned.').action((flags: Flags) =>
    run(flags, async (context) => (await import('./commands/bans.ts')).listBans(context, flags)),
  );
  for (const [name, description, load] of [
    [
      'add',
      'Ban a player: out of every ranking at once.',
      async () => (await import('./commands/bans.ts')).addBan,
    ],
    [
      'lift',
      "Lift a ban: the player's entries are ranked again.",
      async () => (await import('./commands/bans.ts')).liftBan,
    ],
  ] as const) {
    ofSpace(bans, name, description)
      .argument('<handle>', 'the player')
      .action((handle: string, flags: Flags) =>
        run(flags, async (context) => (await load())(context, handle, flags)),
      );
  }

  const scores = group('scores', 'The scores that were posted to a space.');
  ofSpace(scores, 'delete', 'Delete a submission; its player is ranked again.')
    .argument('<id>', 'its number')
    .action((id: string, flags: Flags) =>
      run(flags, async (context) => (await import('./commands/scores.ts')).deleteScore(context, id, flags)),
    );
  ofSpace(scores, 'clear', 'Delete everything that one version, one player or one span of time posted.')
    .option('--of <version>', 'what was played in this version, by its number')
    .option('--player <handle>', 'what this player posted')
    .option('--from <time>', 'what was posted then or later')
    .option('--to <time>', 'what was posted before then')
    .option('--board <key>', 'only on this board')
    .option('--sandbox', 'in the sandbox, not live')
    .option('--dry-run', 'only say what would be deleted')
    .addOption(yes('delete without asking'))
    .action((flags: Flags & ClearFlags) =>
      run(flags, async (context) => (await import('./commands/scores.ts')).clearScores(context, flags)),
    );

  const content = group('content', 'What players of a space made for each other.');
  ofSpace(content, 'list', 'List it, the newest first.')
    .option('--kind <key>', 'only of this kind')
    .option('--reported', 'only what is reported')
    .option('--sandbox', 'in the sandbox, not live')
    .option('--cursor <next>', 'continue where a list ended')
    .action((flags: Flags & ContentFlags) =>
      run(flags, async (context) => (await import('./commands/content.ts')).listContent(context, flags)),
    );
  for (const [name, description, load] of [
    ['show', 'Show one with its data.', async () => (await import('./commands/content.ts')).showContent],
    [
      'delete',
      'Delete one for everyone, with its likes.',
      async () => (await import('./commands/content.ts')).deleteContent,
    ],
  ] as const)
    ofSpace(content, name, description)
      .argument('<id>', 'as the list shows it')
      .action((id: string, flags: Flags) =>
        run(flags, async (context) => (await load())(context, id, flags)),
      );

  command('plays', 'Show how each version was loaded and played.')
    .addOption(spaceOption())
    .option('--sandbox', 'previews and unlisted pages, not live')
    .action((flags: Flags & PlaysFlags) =>
      run(flags, async (context) => (await import('./commands/plays.ts')).showPlays(context, flags)),
    );
  command('errors', 'List what broke while a space was played; with an id, show one with its stack.')
    .argument('[id]', 'of an error, as the list shows it')
    .addOption(spaceOption())
    .option('--of <version>', 'list those that happened in this version, by its number')
    .option('--resolved', 'list those that were marked as resolved')
    .option('--sandbox', 'list those in previews and unlisted pages, not live')
    .option('--resolve', 'mark the error as resolved, until it happens in a newer version')
    .option('--reopen', 'mark the error as open again')
    .action((id: string | undefined, flags: Flags & ErrorsFlags) =>
      run(flags, async (context) => (await import('./commands/errors.ts')).errors(context, id, flags)),
    );

  for (const [name, description, asked, load] of [
    [
      'offline',
      'Take a space offline until you put it online; previews still open.',
      'take it offline without asking',
      async () => (await import('./commands/own-space.ts')).offline,
    ],
    [
      'online',
      'Put a space online again.',
      'put it online without asking',
      async () => (await import('./commands/own-space.ts')).online,
    ],
    [
      'delete',
      'Delete a space; it can be restored for some days.',
      'delete it without asking',
      async () => (await import('./commands/own-space.ts')).deleteSpace,
    ],
    [
      'restore',
      'Bring a deleted space back.',
      'restore it without asking',
      async () => (await import('./commands/own-space.ts')).restore,
    ],
  ] as const) {
    command(name, description)
      .addOption(spaceOption())
      .addOption(yes(asked))
      .action((flags: Sure) => run(flags, async (context) => (await load())(context, flags)));
  }
  command('delete-version', 'Delete a version that is not live, with its preview links, for good.')
    .argument('<version>', 'its number or id')
    .addOption(spaceOption())
    .addOption(yes('delete without asking'))
    .action((version: string, flags: Sure) =>
      run(flags, async (context) =>
        (await import('./commands/own-space.ts')).deleteVersion(context, version, flags),
      ),
    );
  command('reset', 'Delete sandbox data: what previews and test posts left. Live data stays.')
    .addOption(spaceOption())
    .option('--category <list>', 'some of scores,saves,achievements,content,rooms; default: all')
    .option('--player <handle>', "only this player's")
    .addOption(yes('delete without asking'))
    .action((flags: Flags & ResetFlags) =>
      run(flags, async (context) => (await import('./commands/reset.ts')).reset(context, flags)),
    );
}
