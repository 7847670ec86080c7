import type { z } from 'zod';

/** Explains a field that a schema does not know. */

const shownNames = 24;
const maxDistance = 2;

/** Describes an unknown field: where it belongs, which field was probably meant, or which fields exist. */
export function unknownField(schema: z.ZodType, path: readonly PropertyKey[], name: string): string {
  const refused = 'is not a field of this request';
  const shape = shapeAt(schema, path);
  const home = homeOf(schema, path, shape, name);
  if (home !== null) return `${refused} here; it belongs at ${home}`;
  const known = Object.keys(shape);
  const near = nearest(name, known) ?? nearestWithin(shape, name);
  if (near !== null) return `${refused}; did you mean «${near}»?`;
  if (known.length === 0) return refused;
  const more = known.length > shownNames ? ', …' : '';
  const are = known.length === 1 ? 'is only' : 'are';
  return `${refused}; there ${are} ${known.slice(0, shownNames).join(', ')}${more}`;
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** The fields that an object may have at a path, over all shapes of a union. */
function shapeAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): Shape {
  let at = [schema];
  for (const part of path) at = at.flatMap((each) => stepInto(each, part));
  return Object.assign({}, ...at.map(shapeOf));
}

function stepInto(schema: z.core.$ZodType, part: PropertyKey): z.core.$ZodType[] {
  return plainShapes(schema).flatMap((plain) => {
    const { def } = (plain as z.core.$ZodTypes)._zod;
    if (def.type === 'array') return [def.element];
    if (def.type === 'record') return [def.valueType];
    const child = def.type === 'object' ? def.shape[String(part)] : undefined;
    return child ? [child] : [];
  });
}

function shapeOf(schema: z.core.$ZodType): Shape {
  const shapes = plainShapes(schema).map((plain) => {
    const { def } = (plain as z.core.$ZodTypes)._zod;
    return def.type === 'object' ? def.shape : {};
  });
  return Object.assign({}, ...shapes);
}

/** The schema without its wrappers; for a union, each of its members. */
function plainShapes(schema: z.core.$ZodType): z.core.$ZodType[] {
  // Every schema that Zod makes is one of these; only the type of the base class does not say so.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'union') return def.options.flatMap(plainShapes);
  if (def.type === 'pipe') return plainShapes(isTransform(def.in) ? def.out : def.in);
  if ('innerType' in def) return plainShapes(def.innerType);
  return [schema];
}

function isTransform(schema: z.core.$ZodType): boolean {
  return schema._zod.def.type === 'transform';
}

/** The path of a field with the same name, one level further in or out. */
function homeOf(schema: z.ZodType, path: readonly PropertyKey[], shape: Shape, name: string): string | null {
  for (const [field, child] of Object.entries(shape)) {
    const isObject = plainShapes(child).some(({ _zod }) => _zod.def.type === 'object');
    if (isObject && Object.hasOwn(shapeOf(child), name)) return [...path, field, name].join('.');
  }
  const outer = path.slice(0, -1);
  return path.length > 0 && Object.hasOwn(shapeAt(schema, outer), name) ? [...outer, name].join('.') : null;
}

/** A similar name of a field one level further in: `type` for `fields.space_type`. */
function nearestWithin(shape: Shape, name: string): string | null {
  for (const [field, child] of Object.entries(shape)) {
    if (!plainShapes(child).some(({ _zod }) => _zod.def.type === 'object')) continue;
    const near = nearest(name, Object.keys(shapeOf(child)));
    if (near !== null) return `${field}.${near}`;
  }
  return null;
}

/** Returns the known name that is most similar to `name`, or null if none is similar. */
export function nearest(name: string, known: readonly string[]): string | null {
  const given = bare(name);
  const meant = synonyms[given] ?? given;
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = meansTheSame(meant, bare(candidate)) ? 0 : distanceOf(given, bare(candidate));
    if (distance >= least || distance > Math.min(maxDistance, Math.ceil(candidate.length / 3))) continue;
    best = candidate;
    least = distance;
  }
  return best;
}

const synonyms: Readonly<Record<string, string>> = { name: 'title', slug: 'space', live: 'preview' };

/** `type` and `spaceType` both mean `space_type`. */
function meansTheSame(name: string, known: string): boolean {
  return name === known || (name.length >= 4 && known.endsWith(name));
}

function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/gu, '');
}

/** The Levenshtein distance of two names of at most 40 letters. */
function distanceOf(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > maxDistance || left.length > 40) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...left].entries()) {
    const next = [at + 1];
    for (const [index, other] of [...right].entries()) {
      const changed = (row[index] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
