import { createToken } from '@spaceport/contract/own-tokens';
import { issueOf, parseWith } from '@spaceport/contract/parse';
import type { TokenWish } from '../accounts/own-tokens.ts';
import { ServiceError } from '../platform/errors.ts';
import { chosenScopes } from './chosen-scopes.ts';

/**
 * Reads the wanted token from a plain form.
 * @throws `invalid` and names the fields, as the API does
 */
export function readTokenWish(form: Readonly<Record<string, string>>): TokenWish {
  const { name = '', days } = form;
  const space = (form.space ?? '').trim();
  const wish = parseWith(createToken.body, {
    name,
    scopes: chosenScopes(form),
    ...(space !== '' && { space }),
    ...(days !== undefined && { days: Number(days) }),
  });
  if (!wish.success) {
    throw new ServiceError('invalid', 'Choose one of the offered spaces and end dates.', {
      issues: wish.problems.map(issueOf),
    });
  }
  return { ...wish.data, space: wish.data.space ?? null, days: wish.data.days ?? null };
}
