import type { Operation } from '@spaceport/contract/operation';
import { bodyOf, type Described } from './described.ts';
import { exampleOf } from './example.ts';
import type { Schemas } from './schema.ts';

const credentials: Record<Operation['credential'], string> = {
  none: 'No credential',
  token: 'API token',
  token_or_none: 'API token, claim token, or none',
  token_or_claim: 'API token or claim token',
  claim: 'Claim token',
  secret: 'Board secret',
  operator: 'An operator’s API token',
  session: 'A signed-in browser',
  own_page: 'Our own pages',
  player: 'Our own pages, for an account or a guest',
};

/** The curl header for each credential; null if none is sent. */
const headers: Record<Operation['credential'], string | null> = {
  none: null,
  token: 'authorization: Bearer $SPACEPORT_TOKEN',
  token_or_none: 'authorization: Bearer $SPACEPORT_TOKEN',
  token_or_claim: 'authorization: Bearer $SPACEPORT_TOKEN',
  claim: 'x-service-claim: $CLAIM_TOKEN',
  secret: 'authorization: Bearer $BOARD_SECRET',
  operator: 'authorization: Bearer $SPACEPORT_TOKEN',
  session: null,
  own_page: null,
  player: null,
};

/** Returns who may call an operation, in words, with `code` in backquotes. */
export function credentialWords({ credential, scope }: Pick<Operation, 'credential' | 'scope'>): string {
  const words = credentials[credential];
  return scope === undefined ? words : words.replace('API token', `API token for \`${scope}\``);
}

/**
 * Returns the lines of a call in a terminal. It is empty for operations of our own pages. For a folder there
 * are two calls.
 */
export function callLines(
  { method, path, credential, media, streams, example = {} }: Operation,
  described: Described,
  { schemas, app }: { schemas: Schemas; app: string },
): string[] {
  if (credential === 'session' || credential === 'own_page' || credential === 'player') return [];
  const header = headers[credential];
  const filled = path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => `$${name.toUpperCase()}`);
  const query = Object.entries(example.query ?? {}).map(
    ([name, value]) =>
      `${name}=${encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%E2%80%A6', app)}`,
  );
  const address = `"${app}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}"`;
  const secret = header === null ? '' : `-H "${header}" `;
  if (streams)
    return [
      `curl ${secret}-F file=@dist.zip ${address}`,
      `tar -czC dist . | curl ${secret}\\`,
      `  -H 'content-type: application/gzip' --data-binary @- ${address}`,
    ];
  const body = bodyOf(described);
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${address}`,
    ...(header === null ? [] : [`-H "${header}"`]),
    ...(media ? [`-H 'content-type: ${media[0]}'`, '--data-binary @FILE'] : []),
    ...(body === undefined
      ? []
      : [
          `-H 'content-type: application/json'`,
          `-d '${JSON.stringify(example.body ?? exampleOf(body, schemas, { whole: false }), null, 2).replaceAll("'", '’')}'`,
        ]),
  ];
  return lines.join(' \\\n  ').split('\n');
}
