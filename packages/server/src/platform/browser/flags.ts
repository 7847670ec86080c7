/** Flags for WebGL without a graphics card: the browser computes it. */
export const softwareGraphics = [
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
];

/**
 * Flags that paint pages with the processor. Without them the browser would emulate a graphics card for pages
 * too, which takes most of the time of a page. WebGL works all the same.
 */
export const quickPainting = ['--disable-gpu'];

/** An address where nothing listens, so that requests around a run's own proxy fail. */
const nowhere = 'http://127.0.0.1:9';

/**
 * Flags that seal the browser. Every run has its own proxy (thread/visit-page.ts). These flags close the ways
 * around it: background requests of the browser itself, names resolved ahead of requests, loopback names,
 * QUIC, WebRTC.
 */
const sealed = [
  `--proxy-server=${nowhere}`,
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-blink-features=AutomationControlled,WebTransport,DirectSockets',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--no-pings',
  '--disable-speech-api',
  '--disable-print-preview',
];

/**
 * Default flags of Playwright that make a page behave differently than for players, or remove a protection.
 */
export const unwantedDefaults = [
  '--disable-popup-blocking',
  '--disable-ipc-flooding-protection',
  '--enable-automation',
  '--allow-pre-commit-input',
];

/**
 * Returns the flags of the command line. The defaults of npm's build are not used: they switch off the
 * sandbox, web security and site isolation, and put everything into one process.
 * @param trustedKey the key (base64 of the SHA-256 of its SPKI) that our own content is served with over
 * https
 */
export function browserFlags(trustedKey: string | null): string[] {
  const trusted = trustedKey === null ? [] : [`--ignore-certificate-errors-spki-list=${trustedKey}`];
  return [...softwareGraphics, ...quickPainting, ...sealed, ...trusted];
}

/**
 * Returns the environment of the browser's processes. Our own environment holds passwords, so only some names
 * are kept.
 */
export function browserEnvironment(
  home: string,
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot'];
  const kept = names.flatMap((name) => {
    const value = process.env[name];
    // Chromium may end with a trap where LANG is there and empty.
    return value ? [[name, value]] : [];
  });
  return { ...Object.fromEntries(kept), HOME: home, TMPDIR: home, TEMP: home, ...added };
}
