import { browserIn } from '@spaceport/contract/browser-name';

/** Returns browser and major version, by which errors are counted: "Firefox 140". */
export function browserLabel(userAgent: string): string {
  const found = browserIn(userAgent);
  if (!found) return 'Another browser';
  return found.major === '' || found.major.length > 3 ? found.name : `${found.name} ${found.major}`;
}
