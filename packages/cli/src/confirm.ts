import { CliError } from './cli-error.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { Questions } from './questions.ts';

/**
 * Asks a person at a terminal to confirm an action that cannot be undone. Elsewhere `--yes` is required.
 * @throws CliError if it was not confirmed
 */
export async function confirm(
  { output, signal }: Context,
  consequence: string,
  { yes = false }: { yes?: boolean },
): Promise<void> {
  if (yes) return;
  if (!output.interactive) throw notConfirmed(consequence);
  const answer = await ask({ output, signal }, `${consequence} Go on?`, ['yes', 'no']);
  if (answer !== 'yes') throw unchanged();
}

/**
 * Asks for confirmation of an action that affects all players. A person types the slug of the space, to be
 * sure that it is the right one.
 * @throws CliError if it was not confirmed
 */
export async function confirmSpace(
  { output, signal }: Pick<Context, 'output' | 'signal'>,
  consequence: string,
  slug: string,
  { yes = false }: { yes?: boolean },
): Promise<void> {
  if (yes) return;
  if (!output.interactive) throw notConfirmed(consequence);
  const answer = await ask({ output, signal }, `${consequence} If so, type its slug, ${slug}`);
  if (answer !== slug) throw unchanged();
}

async function ask(
  { output, signal }: Pick<Context, 'output' | 'signal'>,
  question: string,
  choices?: readonly string[],
): Promise<string> {
  const questions = new Questions(output.streams, signal);
  try {
    return await questions.ask(question, 'no', choices);
  } finally {
    questions.close();
  }
}

function notConfirmed(consequence: string): CliError {
  return new CliError(exitCodes.usage, 'not_confirmed', consequence, { next: 'If so, run it with --yes.' });
}

function unchanged(): CliError {
  return new CliError(exitCodes.interrupted, 'not_confirmed', 'Nothing was changed.');
}
