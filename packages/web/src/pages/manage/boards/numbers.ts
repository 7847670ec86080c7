import type { ErrorText } from '../../../ui/describe-error.ts';

/** A typed number; null where nothing was typed, NaN where it is none: the service then names the field. */
export function toNumber(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}

/** Which typed numbers are none, by field: JSON has no NaN, so that these never reach the service. */
export function notNumbers(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, text]) => !Number.isFinite(toNumber(text) ?? 0))
      .map(([name]) => [name, 'Write a number.']),
  );
}

/** The problems of the one entry that was sent: `boards.0.sort` is the field `sort`. */
export function problemsOfOne(
  problems: Readonly<Record<string, string>>,
  list: string,
): Record<string, string> {
  const start = `${list}.0.`;
  return Object.fromEntries(
    Object.entries(problems)
      .filter(([path]) => path.startsWith(start))
      .map(([path, message]) => [path.slice(start.length), message]),
  );
}

/** What stands at the end of a form: that its fields say what is wrong, or what is wrong with the whole. */
export function besideFields(
  failure: ErrorText | null,
  problems: Readonly<Record<string, string>>,
): string | undefined {
  if (failure === null) return undefined;
  return Object.keys(problems).length > 0
    ? 'Something is missing or wrong: see the marked fields.'
    : failure.text;
}
