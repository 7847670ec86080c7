import type { Finding } from '@spaceport/contract/versions';

const maxShown = 200;

/** The fix for what kept the check from deciding, and is not the fault of the version. */
export const publishAgain = 'Publish it again; if that does not help, request a review.';

/** Makes untrusted text fit for a message: one line, nothing invisible, at most 200 characters. */
export function shown(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line.length > maxShown ? `${line.slice(0, maxShown - 1)}…` : line;
}

/**
 * Returns a function that makes the findings of one rule:
 * `ruleFindings('miners')('refuse', path, message, fix)`.
 */
export function ruleFindings(
  rule: string,
): (severity: Finding['severity'], path: string, message: string, fix: string) => Finding {
  return (severity, path, message, fix) => ({ rule, severity, path, message, fix });
}
