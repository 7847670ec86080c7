import type { Flags, ProgramParts } from './game-commands.ts';

/** Adds the commands for a space's own host name. */
export function addDomainCommands({ command, group, spaceOption, run }: ProgramParts): void {
  const domain = group('domain', 'A host name of your own for a space.');
  const ofSpace = (name: string, description: string) =>
    command(name, description, domain).addOption(spaceOption());

  ofSpace('show', 'Show it, and what is missing in its DNS.').action((flags: Flags) =>
    run(flags, async (context) => (await import('./commands/domain.ts')).showDomain(context, flags)),
  );
  ofSpace('set', 'Serve the space there too, once its records are in the DNS. Run it again to check again.')
    .argument('<host>', 'such as games.example.org')
    .action((host: string, flags: Flags) =>
      run(flags, async (context) => (await import('./commands/domain.ts')).setDomain(context, host, flags)),
    );
  ofSpace('remove', 'Stop serving the space there.').action((flags: Flags) =>
    run(flags, async (context) => (await import('./commands/domain.ts')).removeDomain(context, flags)),
  );
}
