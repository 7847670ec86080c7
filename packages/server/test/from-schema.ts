import fc, { type Arbitrary } from 'fast-check';
import { z } from 'zod';

/** The part of JSON Schema that the contract's schemas use. */
interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

/** Values of existing objects by field name. With them requests get further than with random values. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

/** Unusual values: extreme numbers and texts, other types, names of Object.prototype. */
const odd = fc.constantFrom<unknown>(
  null,
  true,
  -1,
  0,
  -0,
  0.1,
  2 ** 31,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  -(2 ** 53) - 2,
  1e308,
  5e-324,
  '',
  ' ',
  '0',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  "' or 1=1 --",
  '\u202eevil',
  '\u{1f680}'.repeat(40),
  'x'.repeat(6_000),
  'http://[::1]:1/',
  'javascript:alert(1)',
  [],
  {},
  [[]],
);

/**
 * Generates values that a schema of the contract accepts, or almost accepts: one place in twelve has an
 * unusual value, and hand-written checks of the schema are ignored.
 */
export function fromSchema(schema: z.ZodType, known: Known): Arbitrary<unknown> {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as Schema & {
    $defs?: Record<string, Schema>;
  };
  const resolve = (one: Schema): Schema =>
    one.$ref === undefined ? one : resolve($defs[one.$ref.replace('#/$defs/', '')] ?? root);

  function arbitrary(given: Schema, name: string, depth: number): Arbitrary<unknown> {
    const good = [ofType(resolve(given), name, depth)];
    if (known[name]) good.push(fc.constantFrom(...known[name]), fc.constantFrom(...known[name]));
    return fc.oneof({ weight: 11, arbitrary: fc.oneof(...good) }, { weight: 1, arbitrary: odd });
  }

  function ofType(one: Schema, name: string, depth: number): Arbitrary<unknown> {
    if (depth > 8) return fc.constant(null);
    if ('const' in one) return fc.constant(one.const);
    if (one.enum) return fc.constantFrom(...one.enum);
    const branches = one.anyOf ?? one.oneOf;
    if (branches) return fc.oneof(...branches.map((branch) => ofType(resolve(branch), name, depth + 1)));
    switch (one.type) {
      case 'string':
        return text(one);
      case 'integer':
        return fc.integer({
          min: Math.max(one.minimum ?? -9, -(2 ** 31)),
          max: Math.min(one.maximum ?? 99, 2 ** 31 - 1),
        });
      case 'number':
        return fc.double({ min: one.minimum ?? -1e6, max: one.maximum ?? 1e6, noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return fc.array(arbitrary(one.items ?? {}, name, depth + 1), {
          minLength: one.minItems ?? 0,
          maxLength: Math.max(one.minItems ?? 0, Math.min(one.maxItems ?? 4, 4)),
        });
      case 'object':
        return object(one, depth);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  }

  function object({ properties = {}, required = [], additionalProperties }: Schema, depth: number) {
    const fields = Object.entries(properties).map(([name, property]) => [
      name,
      arbitrary(property, name, depth + 1),
    ]);
    const record = fc.record(Object.fromEntries(fields) as Record<string, Arbitrary<unknown>>, {
      requiredKeys: [...required],
    });
    if (typeof additionalProperties !== 'object' || fields.length > 0) return record;
    return fc.dictionary(fc.string({ maxLength: 8 }), arbitrary(additionalProperties, '', depth + 1), {
      maxKeys: 3,
    });
  }

  return arbitrary(root, '', 0);
}

function text({ pattern, format, minLength = 0, maxLength = 60 }: Schema): Arbitrary<unknown> {
  if (format === 'uri') return fc.webUrl();
  if (format === 'email') return fc.emailAddress();
  const plain = fc.string({
    minLength,
    maxLength: Math.max(minLength, Math.min(maxLength, 60)),
    unit: 'grapheme',
  });
  // fast-check cannot generate texts for a pattern with a lookahead.
  return pattern === undefined || pattern.includes('(?')
    ? plain
    : fc.stringMatching(new RegExp(pattern, 'u'));
}
