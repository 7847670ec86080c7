import { alternatives, primitiveOf, resolved, type Schema, type Schemas } from './schema.ts';

/** Values that read like real ones, by the name of the field. */
const samples: Readonly<Record<string, unknown>> = {
  slug: 'moon-hopper',
  space: 'moon-hopper',
  title: 'Moon Hopper',
  description: 'Hop from moon to moon.',
  handle: 'mira',
  owner: 'mira',
  player: '@kestrel',
  name: 'Mira',
  email: 'mira@example.org',
  client_name: 'My agent',
  url: 'https://example.org/moon-hopper/',
  path: 'index.html',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  size: 1_234,
  id: 'ver_7f3k2m9q',
  number: 3,
  version: 3,
  key: 'lamps',
  board: 'lamps',
  stat: 'jumps',
  achievement: 'first-light',
  score: 4_210,
  rank: 1,
  value: 100,
  atLeast: 100,
  label: 'Jumps',
  unit: 'm',
  message: 'Text.',
  reason: 'Text.',
  hash: '9f86d081884c7d65',
  user_code: 'BCDF-GHJK',
  device_code: 'sp_device_…',
  access_token: 'sp_token_…',
  token: 'sp_token_…',
  secret: 'sp_secret_…',
  claim: 'sp_claim_…',
  claimToken: 'sp_claim_…',
  claim_token: 'sp_claim_…',
  width: 1_280,
  height: 720,
};

const maxDepth = 5;

/** Returns an example value of a schema. With `whole` it has the optional fields, as answers do. */
export function exampleOf(
  schema: Schema,
  schemas: Schemas,
  { whole, name = '', depth = 0 }: { whole: boolean; name?: string; depth?: number },
): unknown {
  const one = resolved(alternatives(schema).of[0] ?? {}, schemas);
  if (one.examples) return one.examples[0];
  if (one.const !== undefined) return one.const;
  if (one.enum) return one.enum[0];
  const type = primitiveOf(one);
  const { properties } = one;
  if (properties) {
    if (depth > maxDepth) return {};
    const shown = Object.keys(properties).filter((each) => whole || one.required?.includes(each));
    return Object.fromEntries(
      shown.map((each) => [
        each,
        exampleOf(properties[each] ?? {}, schemas, { whole, name: each, depth: depth + 1 }),
      ]),
    );
  }
  if (one.items) {
    const entry = name.replace(/s$/u, '');
    return depth > maxDepth ? [] : [exampleOf(one.items, schemas, { whole, name: entry, depth: depth + 1 })];
  }
  if (type === 'object') return {};
  if (type === 'boolean') return one.default ?? true;
  const sample = samples[name];
  if (type === 'integer' || type === 'number')
    return typeof sample === 'number' ? sample : (one.default ?? Math.max(1, one.minimum ?? 1));
  if (type !== 'string') return sample ?? null;
  if (one.format === 'uri') return samples.url;
  return typeof sample === 'string' ? sample : '…';
}
