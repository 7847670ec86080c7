/**
 * Packages that are not built in, but loaded as they are installed: native code, very large packages that are
 * seldom needed, and one that a test watches from outside (kill-at-write.ts).
 */
export const keptOutside = ['sharp', 'playwright-core', '@sparticuz/chromium', 'pg', 'pg-native'];
