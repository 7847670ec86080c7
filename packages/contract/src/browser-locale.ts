/**
 * Returns the language of a browser as a BCP 47 tag. Chromium on Linux tells the locale of the system, such as
 * `en-US@posix` where it is C.UTF-8, which `Intl` refuses.
 */
export function browserLocale({ language }: Pick<Navigator, 'language'>): string {
  return language.replace(/[.@].*$/u, '').replace(/_/gu, '-') || 'en';
}
