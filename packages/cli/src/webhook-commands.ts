import type { Flags, ProgramParts } from './game-commands.ts';

/** Adds the commands for a space's webhooks and their deliveries. */
export function addWebhookCommands({ command, group, spaceOption, run }: ProgramParts): void {
  const webhooks = group('webhooks', 'Addresses that are told what happens to a space.');
  const ofSpace = (name: string, description: string) =>
    command(name, description, webhooks).addOption(spaceOption());

  ofSpace('list', 'Show every webhook.').action((flags: Flags) =>
    run(flags, async (context) => (await import('./commands/webhooks.ts')).listWebhooks(context, flags)),
  );
  ofSpace('set', 'Write the whole list; new ones come with the key that signs what they are sent.')
    .argument('<file>', 'JSON as `list --json` prints it, or - for stdin')
    .action((file: string, flags: Flags) =>
      run(flags, async (context) =>
        (await import('./commands/webhooks.ts')).setWebhooks(context, file, flags),
      ),
    );
  ofSpace('test', 'Send a webhook a test event.')
    .argument('<id>', 'of the webhook')
    .action((id: string, flags: Flags) =>
      run(flags, async (context) => (await import('./commands/webhooks.ts')).testWebhook(context, id, flags)),
    );
  ofSpace('deliveries', 'List what a webhook was sent, with its answers.')
    .argument('<id>', 'of the webhook')
    .action((id: string, flags: Flags) =>
      run(flags, async (context) =>
        (await import('./commands/webhooks.ts')).listDeliveries(context, id, flags),
      ),
    );
  ofSpace('resend', 'Send an event again.')
    .argument('<id>', 'of the webhook')
    .argument('<delivery>', 'its id, as `deliveries` has it')
    .action((id: string, delivery: string, flags: Flags) =>
      run(flags, async (context) =>
        (await import('./commands/webhooks.ts')).resendDelivery(context, { id, delivery }, flags),
      ),
    );
}
