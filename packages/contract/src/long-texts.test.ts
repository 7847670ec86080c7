import { test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import type { z } from 'zod';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';

/** The longest text of a usual body. */
const most = 120_000;

const repeated = [
  '=',
  ' ',
  'a',
  'A',
  '0',
  '-',
  '.',
  '/',
  '@',
  '%',
  '\\',
  '"',
  'a.',
  'a-',
  '%20',
  'é',
  '😀',
  '\u200B',
];
const texts = repeated.flatMap((part) => {
  const long = part.repeat(most / part.length);
  return [`${long}!`, `!${long}!`, `https://${long}!`];
});

/** Their parts are tried instead. */
const holders: ReadonlySet<string> = new Set(['object', 'array', 'record', 'tuple']);

interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly options?: readonly z.ZodType[];
  readonly items?: readonly z.ZodType[];
  readonly getter?: () => z.ZodType;
  readonly [inner: string]: unknown;
}

/** Yields the schemas of single values in a schema, each once. */
function* leaves(schema: z.ZodType, seen: Set<z.ZodType>): Generator<z.ZodType> {
  if (seen.has(schema)) return;
  seen.add(schema);
  // A schema's definition has the parts that its type has.
  const def = schema.def as unknown as Def;
  if (!holders.has(def.type)) yield schema;
  const inner = ['innerType', 'element', 'in', 'out', 'left', 'right', 'keyType', 'valueType'];
  const parts = [
    ...Object.values(def.shape ?? {}),
    ...(def.options ?? []),
    ...(def.items ?? []),
    ...inner.flatMap((name) => (def[name] ? [def[name] as z.ZodType] : [])),
    ...(def.getter ? [def.getter()] : []),
  ];
  for (const part of parts) yield* leaves(part, seen);
}

// All schemas run before it is known who calls. One check with quadratic time stopped the service for half a minute.
test('no field of a request takes long, or throws, whatever long text is in it', {
  timeout: 30_000,
}, async () => {
  const seen = new Set<z.ZodType>();
  const all: readonly Operation[] = operations;
  for (const { body, query, params } of all) {
    for (const schema of [body, query, params])
      for (const leaf of schema ? leaves(schema, seen) : []) for (const text of texts) leaf.safeParse(text);
    // The time is looked at in between.
    await immediate();
  }
});
