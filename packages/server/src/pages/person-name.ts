import { text } from '@spaceport/contract/primitives';
import { invalidField } from '../accounts/credentials.ts';

const name = text(1, 60);

/** The name a creator goes by. Throws `invalid`. */
export function parseName(typed: string): string {
  const parsed = name.safeParse(typed.trim());
  if (!parsed.success) throw invalidField('name', parsed.error.issues[0]?.message ?? 'is not a name');
  return parsed.data;
}
