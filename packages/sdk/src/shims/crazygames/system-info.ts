/** Browser names in user agents. Browsers that also name others come first. */
const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /Edg[A-Za-z]*\/([\d.]+)/u],
  ['Opera', /OPR\/([\d.]+)/u],
  ['Firefox', /(?:Firefox|FxiOS)\/([\d.]+)/u],
  ['Chrome', /(?:Chrome|CriOS)\/([\d.]+)/u],
  ['Safari', /Version\/([\d.]+).*Safari/u],
];
const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Windows', /Windows NT ([\d.]+)/u],
  ['Android', /Android ([\d.]+)/u],
  ['iOS', /(?:iPhone|CPU) OS ([\d_]+)/u],
  ['macOS', /Mac OS X ([\d_]+)/u],
  ['Chrome OS', /CrOS \S+ ([\d.]+)/u],
  ['Linux', /Linux()/u],
];

/** Returns the browser's own facts, and the country of the player's language. The player is not located. */
export function systemInfo(userAgent: string, locale: string) {
  const find = (list: typeof browsers) => {
    for (const [name, pattern] of list) {
      const found = pattern.exec(userAgent);
      if (found) return { name, version: (found[1] ?? '').replaceAll('_', '.') };
    }
    return { name: 'unknown', version: '' };
  };
  return {
    countryCode: countryOf(locale),
    locale,
    device: { type: deviceOf(userAgent) },
    os: find(systems),
    browser: find(browsers),
    applicationType: 'web',
  };
}

function deviceOf(userAgent: string): 'desktop' | 'tablet' | 'mobile' {
  if (/iPad|Tablet|Android(?!.*Mobile)/u.test(userAgent)) return 'tablet';
  return /Mobi|iPhone|Android/u.test(userAgent) ? 'mobile' : 'desktop';
}

function countryOf(locale: string): string {
  try {
    return new Intl.Locale(locale).maximize().region ?? 'US';
  } catch {
    return 'US';
  }
}
