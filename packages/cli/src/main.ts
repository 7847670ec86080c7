import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { InitFlags } from './commands/init.ts';
import type { LoginFlags } from './commands/login.ts';
import type { PromoteFlags } from './commands/promote.ts';
import type { PublishFlags } from './commands/publish.ts';
import type { SpacesFlags } from './commands/spaces.ts';
import type { Environment } from './config.ts';
import type { Context } from './context.ts';
import { withSuggestion } from './did-you-mean.ts';
import { addDomainCommands } from './domain-commands.ts';
import { examplesHelp } from './examples.ts';
import { exitCodeHelp, exitCodes } from './exit-codes.ts';
import { type Circumstances, failureOf } from './failure.ts';
import { addGameCommands, type Flags } from './game-commands.ts';
import { comeFrom, commandLine, type Origin, repeatFlags } from './origin.ts';
import { Output } from './output.ts';
import { ofProcess, type Surroundings } from './surroundings.ts';
import { longVersion } from './version.ts';
import { addWebhookCommands } from './webhook-commands.ts';

// A command's modules are loaded when it runs: loading all of them takes as long as a publish without
// changes.

/** The function of a command. If it returns a number, that is the exit code. */
type Action = (context: Context) => unknown;

/**
 * Runs one command line. It never throws, and does not end the process.
 * @param origin the service that a packed command comes from
 * @param surroundings the process's own, unless a test passes others
 * @returns the exit code
 */
export async function main(
  argv: readonly string[],
  origin: Origin | null = null,
  { env, cwd, streams }: Surroundings = ofProcess(),
): Promise<number> {
  comeFrom(origin);
  const interruption = new AbortController();
  const interrupt = () => {
    // A second Ctrl-C ends the process at once.
    if (interruption.signal.aborted) process.exit(exitCodes.interrupted);
    interruption.abort(new Error('interrupted'));
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);

  let exitCode: number = exitCodes.ok;
  let output = new Output(streams, argv.includes('--json'), env);
  let update: Promise<string | null> | null = null;
  const run = async (flags: Flags, action: Action) => {
    output = new Output(streams, flags.json === true, env);
    repeatFlags(flags);
    const context: Context = {
      env,
      cwd,
      output,
      signal: interruption.signal,
      serverFlag: flags.server,
    };
    if (origin !== null && !output.json) update = lookForUpdate(env, origin);
    const answer = await action(context);
    if (typeof answer === 'number') exitCode = answer;
  };
  try {
    await buildProgram(argv, output, run).parseAsync([...argv], { from: 'user' });
  } catch (error) {
    exitCode = report(error, argv, output, {
      interrupted: interruption.signal.aborted,
      tokenIsSet: Boolean(env.SPACEPORT_TOKEN),
    });
  } finally {
    const newer = interruption.signal.aborted ? null : await update;
    if (newer) output.note(newer);
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
  return exitCode;
}

async function lookForUpdate(env: Environment, origin: Origin): Promise<string | null> {
  const { findUpdate } = await import('./update-notice.ts');
  return findUpdate(env, origin, Date.now());
}

function report(
  error: unknown,
  argv: readonly string[],
  output: Output,
  circumstances: Circumstances,
): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.ok;
    // Commander has written its own sentence to stderr, or shown the help.
    const message = withSuggestion(error.message, argv).replace(/^error: /u, '');
    const next = helpAfterError;
    if (output.json)
      output.result({ error: { code: 'usage', message, next, exitCode: exitCodes.usage, details: {} } }, '');
    return exitCodes.usage;
  }
  const failure = failureOf(error, circumstances);
  output.failure(failure);
  return failure.exitCode;
}

/**
 * Returns the program of a command line.
 * @param run runs what a command is for, with the flags that were given
 */
export function buildProgram(
  argv: readonly string[],
  output: Output,
  run: (flags: Flags, action: Action) => Promise<void>,
): Command {
  const program = new Command(commandLine(''))
    .description('Publishes web games and other web apps to a Spaceport service.')
    .version(longVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.streams.out.write(text),
      writeErr: (text) => output.note(withSuggestion(text, argv).trimEnd()),
    })
    .showHelpAfterError(helpAfterError)
    .hook('preAction', (_program, action) => refuseEmptyArguments(action))
    .addHelpText('after', `\n${environmentHelp}\n\n${exitCodeHelp}`);

  /** Adds a command. Every command has the options for the service and the output format. */
  const command = (name: string, description: string, parent = program) =>
    parent
      .command(name)
      .description(description)
      .option(
        '--server <url>',
        'the service; default: SPACEPORT_SERVER, then the one this command came from or signed in to last',
      )
      .option('--json', 'print exactly one JSON document on stdout')
      .addHelpText('after', () => examplesHelp(parent === program ? name : `${parent.name()} ${name}`));
  const group = (name: string, description: string) => program.command(name).description(description);
  const spaceOption = (description = 'the space; default: "space" in service.json') =>
    new Option('--space <slug>', description).argParser((slug) => {
      // A variable that is not set, most often.
      if (slug.trim() === '') throw new InvalidArgumentError('It is empty.');
      return slug;
    });

  command('login', 'Sign in: by a link to approve in a browser, or with a token.')
    .option('--token <token>', 'an API token, or - to read it from stdin')
    .option('--start', 'print the link and its code, and exit: for shells that show no output before the end')
    .option('--finish', 'wait until the link of --start is approved, and sign in')
    .option('--scopes <names>', 'the scopes of the token; default: publish,boards,moderate')
    .addOption(spaceOption('the one space that the token is for; default: all of yours'))
    .action((flags: Flags & LoginFlags) =>
      run(flags, async (context) => (await import('./commands/login.ts')).login(context, flags)),
    );
  command('logout', 'Forget the token of a service.').action((flags: Flags) =>
    run(flags, async (context) => (await import('./commands/logout.ts')).logout(context)),
  );
  command('whoami', 'Show who you are signed in as.').action((flags: Flags) =>
    run(flags, async (context) => (await import('./commands/whoami.ts')).whoami(context)),
  );

  command('init', 'Write a service.json, which says what a folder is published as.')
    .argument('[folder]', 'the folder', '.')
    .option('--title <title>', 'its name')
    .option('--type <type>', 'game, app, tool, toy, art, story, music, learning or other')
    .option('--devices <list>', 'some of desktop,mobile,tablet,gamepad,vr')
    .option('--tags <list>', 'words to find it by, with commas: puzzle,two-players')
    .option('--description <text>', 'what it is')
    .option('-y, --yes', 'ask nothing')
    .option('--agents', 'write into AGENTS.md how to publish the folder, and nothing else')
    .action((folder: string, flags: Flags & InitFlags) =>
      run(flags, async (context) => {
        if (flags.agents) (await import('./commands/init-agents.ts')).initAgents(context, folder);
        else await (await import('./commands/init.ts')).init(context, folder, flags);
      }),
    );

  command('publish', 'Publish a folder: as a preview, or live once it passes the safety check.')
    .argument('[folder]', 'the folder with the built files', '.')
    .option('--live', 'publish for everyone, not as a preview')
    .addOption(
      // A space of an account cannot be published to without the account.
      new Option('--anonymous', 'publish without an account: a page for a week, to claim').conflicts('space'),
    )
    .addOption(spaceOption())
    .option('--title <title>', 'in place of the title in service.json')
    .option('--type <type>', 'in place of space_type in service.json')
    .option('--devices <list>', 'in place of devices in service.json, with commas')
    .option('--tags <list>', 'in place of tags in service.json, with commas')
    .option(
      '--config <file>',
      'the service.json; default: in the folder, else in the project that builds it, else in the current one',
    )
    .option('--dry-run', 'check everything and say what would change; publish nothing')
    .option('--no-wait', 'do not wait for the verdict of the safety check')
    .action((folder: string, flags: Flags & PublishFlags) =>
      run(flags, async (context) => (await import('./commands/publish.ts')).publish(context, folder, flags)),
    );

  command('promote', 'Publish the files of a version live: of a preview, as it was seen.')
    .argument('<version>', 'its number or id')
    .addOption(spaceOption())
    .option('--no-wait', 'do not wait for the verdict of the safety check')
    .action((version: string, flags: Flags & PromoteFlags) =>
      run(flags, async (context) => (await import('./commands/promote.ts')).promote(context, version, flags)),
    );

  command('spaces', 'List your spaces.')
    .option('--deleted', 'the deleted ones that can be restored')
    .action((flags: Flags & SpacesFlags) =>
      run(flags, async (context) => (await import('./commands/spaces.ts')).spaces(context, flags)),
    );
  command('status', 'Show the status of a version, with the findings of its safety check.')
    .argument('[version]', 'its number or id; default: the newest')
    .addOption(spaceOption())
    .action((name: string | undefined, flags: Flags & { space?: string }) =>
      run(flags, async (context) => (await import('./commands/status.ts')).status(context, name, flags)),
    );
  command('versions', 'List the last 100 versions of a space.')
    .addOption(spaceOption())
    .action((flags: Flags & { space?: string }) =>
      run(flags, async (context) => (await import('./commands/versions.ts')).versions(context, flags)),
    );
  for (const [name, argument, description, load] of [
    [
      'rollback',
      'number',
      'Make a version live again that was live before.',
      async () => (await import('./commands/rollback.ts')).rollback,
    ],
    [
      'preview',
      'version',
      'Make a new preview link of a version, valid 24 hours.',
      async () => (await import('./commands/preview.ts')).preview,
    ],
    [
      'review',
      'version',
      'Ask a person to look at a refused or unjudged version.',
      async () => (await import('./commands/review.ts')).review,
    ],
  ] as const) {
    command(name, description)
      .argument(`<${argument}>`, argument === 'number' ? 'the number of the version' : 'its number or id')
      .addOption(spaceOption())
      .action((version: string, flags: Flags & { space?: string }) =>
        run(flags, async (context) => (await load())(context, version, flags)),
      );
  }
  program
    .command('mcp')
    .description(
      'Give an agent tools over stdin and stdout (Model Context Protocol), which read folders too.',
    )
    .option('--server <url>', 'the service; default: as for every command')
    .addHelpText('after', () => examplesHelp('mcp'))
    .action((flags: Flags) =>
      run(flags, async (context) => (await import('./commands/mcp.ts')).mcp(context)),
    );
  const parts = { command, group, spaceOption, run };
  addGameCommands(parts);
  addWebhookCommands(parts);
  addDomainCommands(parts);
  return program;
}

/**
 * Refuses arguments without a character: `publish "$DIST"` would publish the current folder where the variable is
 * not set.
 */
function refuseEmptyArguments(action: Command): void {
  const at = action.args.findIndex((argument) => argument.trim() === '');
  if (at === -1) return;
  const name = action.registeredArguments[at]?.name() ?? '';
  action.error(`error: argument '${name}' is empty`);
}

const helpAfterError = 'Run it with --help to see its arguments and options.';

const environmentHelp = `Environment:
  SPACEPORT_TOKEN   the API token, in place of the stored one
  SPACEPORT_SERVER  the service, in place of the one this command came from or signed in to last
  XDG_CONFIG_HOME   the stored tokens are in spaceport/config.json there (default: ~/.config)
  HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY   the proxy to the service, in lower case too`;
