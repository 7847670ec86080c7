const unnamed = 'A program that gave no name';

/**
 * Returns the name of a program on one line, without invisible characters and those that change the direction of
 * writing. Anybody may have written it.
 */
export function shownName(name = ''): string {
  const shown = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return shown || unnamed;
}
