import { StageError } from './stage-error.ts';

/** Returns a function that makes a part of the page's services at its first use, with a script of its own. */
export function latePart<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let part: Promise<Part> | null = null;
  return () => {
    part ??= load().catch(() => {
      part = null;
      throw new StageError('offline', 'The service cannot be reached.');
    });
    return part;
  };
}
