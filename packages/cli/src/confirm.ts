import { CliError } from './cli-error.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { Questions } from './questions.ts';

/**
 * Lets a person at a terminal say yes to what cannot be undone; elsewhere `--yes` has to.
 * @throws CliError where it was not said
 */
export async function confirm(
  { output, signal }: Context,
  consequence: string,
  { yes = false }: { yes?: boolean },
): Promise<void> {
  if (yes) return;
  if (!output.interactive) {
    throw new CliError(exitCodes.usage, 'not_confirmed', consequence, { next: 'If so, run it with --yes.' });
  }
  const questions = new Questions(output.streams, signal);
  try {
    if ((await questions.ask(`${consequence} Go on?`, 'no', ['yes', 'no'])) === 'yes') return;
  } finally {
    questions.close();
  }
  throw new CliError(exitCodes.interrupted, 'not_confirmed', 'Nothing was changed.');
}
