import { describeBrowser } from '../ui/describe-browser.ts';

/** What a save says it was written by: "Chrome on Android". */
export function deviceName(): string {
  return describeBrowser(navigator.userAgent);
}
