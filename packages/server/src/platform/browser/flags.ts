/** WebGL without a graphics card, computed by the browser. */
export const softwareGraphics = [
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
];

/**
 * Pages are painted by the processor, as a browser does that has no graphics card. Without it one is computed for them too,
 * which is most of what a page costs. WebGL is computed all the same.
 */
export const quickPainting = ['--disable-gpu'];

/** Where nothing listens: what does not go through a run's own proxy goes nowhere. */
const nowhere = 'http://127.0.0.1:9';

/**
 * What seals the browser. Every run has a proxy of its own (thread/visit-page.ts); these close the ways around it:
 * background requests of the browser itself, names resolved ahead of requests, loopback names, QUIC, WebRTC.
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

/** Playwright's own that make pages less like they are for players, or take a protection away. */
export const unwantedDefaults = [
  '--disable-popup-blocking',
  '--disable-ipc-flooding-protection',
  '--enable-automation',
  '--allow-pre-commit-input',
];

/**
 * The command line, chosen flag by flag. The defaults that come with npm's build are not taken: they switch off the
 * sandbox, web security and site isolation, and put everything into one process.
 * @param trustedKey the key (base64 of the SHA-256 of its SPKI) our own content is served with where it is https.
 */
export function browserFlags(trustedKey: string | null): string[] {
  const trusted = trustedKey === null ? [] : [`--ignore-certificate-errors-spki-list=${trustedKey}`];
  return [...softwareGraphics, ...quickPainting, ...sealed, ...trusted];
}

/** What the browser's processes get to see of the environment: our own has passwords in it. */
export function browserEnvironment(
  home: string,
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot'];
  const kept = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), HOME: home, TMPDIR: home, TEMP: home, ...added };
}
