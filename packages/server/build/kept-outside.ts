/**
 * What the built server loads as it is installed: native code, what is larger than all else and seldom needed, and what a
 * test watches from outside (kill-at-write.ts). All other packages are in the build.
 */
export const keptOutside = ['sharp', 'playwright-core', '@sparticuz/chromium', 'pg', 'pg-native'];
