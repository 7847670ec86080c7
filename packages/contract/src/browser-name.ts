/** Many browsers also name others in their user agent, so the most particular names come first. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/(\d*)/u, 'Edge'],
  [/\bOPR\/(\d*)/u, 'Opera'],
  [/\bSamsungBrowser\/(\d*)/u, 'Samsung Internet'],
  [/\bVivaldi\/(\d*)/u, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\/(\d*)/u, 'Firefox'],
  [/\b(?:Chrome|CriOS)\/(\d*)/u, 'Chrome'],
  [/\bVersion\/(\d*)[\d.]*.*\bSafari\//u, 'Safari'],
];

/** A browser as its user agent tells: name and major version, empty where it names none. Null for one that is not known. */
export function browserIn(userAgent: string): { readonly name: string; readonly major: string } | null {
  for (const [pattern, name] of browsers) {
    const found = pattern.exec(userAgent);
    if (found) return { name, major: found[1] ?? '' };
  }
  return null;
}
