import { describeBrowser } from '../ui/describe-browser.ts';

/** Returns the device name for saves: "Chrome on Android". */
export function deviceName(): string {
  return describeBrowser(navigator.userAgent);
}
