import type { TokenChoice } from '@spaceport/contract/first-data';
import { Field, Select } from './field.tsx';

/** Chooses the spaces of a token: all, or one. The field `space` is its slug, or empty. */
export function SpaceSelect({
  spaces,
  chosen = '',
}: Pick<TokenChoice, 'spaces'> & {
  /** The space that is chosen at first. */
  chosen?: string;
}) {
  if (spaces === null)
    return (
      <Field
        label="For one space alone"
        name="space"
        autoComplete="off"
        autoCapitalize="none"
        spellcheck={false}
        maxLength={80}
        defaultValue={chosen}
        hint="The last part of the address of its page. If it is empty: for all your spaces."
      />
    );
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
