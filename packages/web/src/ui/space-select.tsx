import type { TokenChoice } from '@spaceport/contract/first-data';
import { Select } from './field.tsx';

/** Which spaces a token is to be for: all, or one alone. The field `space` is its slug, or empty. */
export function SpaceSelect({
  spaces,
  chosen = '',
}: Pick<TokenChoice, 'spaces'> & {
  /** At first. */
  chosen?: string;
}) {
  return (
    <Select
      label="For"
      name="space"
      defaultValue={chosen}
      options={[
        ['', 'all your spaces'] as const,
        ...spaces.map(({ slug, title }) => [slug, `${title} (${slug}) alone`] as const),
      ]}
    />
  );
}
