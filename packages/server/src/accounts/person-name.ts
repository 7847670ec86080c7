import { personName } from '@spaceport/contract/sign-in';
import { invalidField } from './credentials.ts';

/**
 * Returns the display name of a creator.
 * @throws `invalid`
 */
export function parseName(typed: string): string {
  const parsed = personName.safeParse(typed.trim());
  if (!parsed.success) throw invalidField('name', parsed.error.issues[0]?.message ?? 'is not a name');
  return parsed.data;
}
