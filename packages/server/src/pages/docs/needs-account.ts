const notice =
  'Publishing here needs an account: sign in first (`login`, below). A call needs the header `authorization: Bearer <token>`.';

/** What the guides say of publishing without an account. */
const offers: readonly (readonly [told: RegExp, instead: string])[] = [
  [/ --anonymous(?= )/gu, ''],
  [/, no installation and no account\./u, ' and no installation.'],
  [/ They keep the page by opening `claimUrl`;\notherwise it ends after a week\./u, ''],
  [/ Publishing a page for a week needs no token\./u, ''],
  [/ With an account leave out `--anonymous`; sign in by/u, ' Sign in by'],
  [/^npx .* +# a page for a week, without an account\n/mu, ''],
  [/^\| nobody \| none \| .*\n/mu, ''],
];

const guides = new Set(['/llms.txt', '/skill.md', '/docs/publish.md']);

/**
 * Returns a document of a service on which nobody publishes without an account: the guides say so, and no longer how
 * that is done.
 */
export function forAccountsOnly(path: string, text: string): string {
  if (!guides.has(path)) return text;
  const without = offers.reduce((left, [told, instead]) => left.replace(told, instead), text);
  return without.replace(/\n## /u, `\n${notice}\n\n## `);
}
