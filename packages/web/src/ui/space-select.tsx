import type { TokenChoice } from '@spaceport/contract/first-data';
import { Select } from './field.tsx';

/** A select for the spaces of a token: all, or one. The field `space` is its slug, or empty. */
export function SpaceSelect({
  spaces,
  chosen = '',
}: Pick<TokenChoice, 'spaces'> & {
  /** The space that is chosen at first. */
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
