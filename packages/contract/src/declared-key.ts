import { z } from 'zod';

/** The name of a board, a stat or an achievement within its space. */
export const key = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,39}$/u, 'must start with a-z and have at most 40 of a-z, 0-9, _ and -');
