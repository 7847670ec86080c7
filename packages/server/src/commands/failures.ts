import { CommandError } from '../command-line.ts';
import { ConfigError } from '../config.ts';

/** Prints an error: only the text if the operator can fix it, with the stack if the fault is ours. */
export function tellFailure(error: unknown): void {
  const expected = error instanceof ConfigError || (error instanceof Error && error.name === 'CommandError');
  console.error(expected ? error.message : error);
}

/** Returns the error of a failed start, with an explanation if the operator can fix it. */
export function explained(error: unknown, { PORT = '3000' }: NodeJS.ProcessEnv): unknown {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return new CommandError(
      `Port ${PORT} is in use: stop the program that uses it, or choose another port with PORT=….`,
    );
  }
  if (error instanceof Error && 'code' in error && error.code === 'EACCES') {
    return new CommandError(`Not allowed: ${error.message}`);
  }
  return error;
}
