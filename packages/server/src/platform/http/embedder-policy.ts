/** The values of Cross-Origin-Embedder-Policy that isolate a page. */
export type EmbedderPolicy = 'credentialless' | 'require-corp';

/**
 * Returns the value that isolates in a browser. `credentialless` lets a page have files of sites that know
 * nothing of isolation, but WebKit (Safari, and every browser on iPhones and iPads) takes it for no policy. It
 * isolates with `require-corp` alone.
 * @param userAgent the header: only WebKit names AppleWebKit without Chrome
 */
export function embedderPolicyFor(userAgent: string | undefined): EmbedderPolicy {
  return isWebKit(userAgent) ? 'require-corp' : 'credentialless';
}

export function isWebKit(userAgent = ''): boolean {
  return userAgent.includes('AppleWebKit/') && !/\bChrom(?:e|ium)\/|HeadlessChrome\//u.test(userAgent);
}
