import { PageRefusal } from '../ui/describe-error.ts';

/**
 * Checks that the browser keeps the cookie of a session. Without it a sign-in would succeed, and the next page
 * ask for it again.
 * @throws PageRefusal
 */
export function requireCookies(): void {
  if (navigator.cookieEnabled) return;
  throw new PageRefusal(
    'Your browser keeps no cookies of this site, and without one nobody stays signed in. Allow them for this site, then load the page again.',
  );
}
