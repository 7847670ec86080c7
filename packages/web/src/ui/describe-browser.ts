import { browserIn } from '@spaceport/contract/browser-name';

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/u, 'iPhone'],
  [/\biPad\b/u, 'iPad'],
  [/\bAndroid\b/u, 'Android'],
  [/\bCrOS\b/u, 'ChromeOS'],
  [/\bWindows\b/u, 'Windows'],
  [/\bMacintosh\b/u, 'Mac'],
  [/\bLinux\b/u, 'Linux'],
];

/**
 * Describes a browser by its user agent: "Firefox on Windows". For display only: no decision depends on it.
 */
export function describeBrowser(userAgent: string | null): string {
  const browser = browserIn(userAgent ?? '')?.name;
  const system = systems.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  if (browser === undefined) return system === undefined ? 'An unknown browser' : `A browser on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
