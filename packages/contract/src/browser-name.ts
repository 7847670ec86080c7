/** Many browsers also name others in their user agent, so the most specific names come first. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/(\d*)/u, 'Edge'],
  [/\bOPR\/(\d*)/u, 'Opera'],
  [/\bSamsungBrowser\/(\d*)/u, 'Samsung Internet'],
  [/\bVivaldi\/(\d*)/u, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\/(\d*)/u, 'Firefox'],
  [/\b(?:Chrome|CriOS)\/(\d*)/u, 'Chrome'],
  // Of the browsers that are left, this one alone names both. From the beginning, so that it takes linear time.
  [/^(?=.*\bSafari\/).*?\bVersion\/(\d*)/su, 'Safari'],
];

/** Longer than the user agent of any browser. Anybody may have written it. */
const mostCharacters = 1_000;

/**
 * Returns a browser's name and major version (empty if its user agent has none), or null for an unknown
 * browser.
 */
export function browserIn(userAgent: string): { readonly name: string; readonly major: string } | null {
  const agent = userAgent.slice(0, mostCharacters);
  for (const [pattern, name] of browsers) {
    const found = pattern.exec(agent);
    if (found) return { name, major: found[1] ?? '' };
  }
  return null;
}
