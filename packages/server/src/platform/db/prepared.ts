import {
  type Compilable,
  type CompiledQuery,
  type DialectAdapter,
  type RawBuilder,
  SelectQueryNode,
  sql,
} from 'kysely';
import { type Cells, GivenList, List, mostRoom, Place, roomFor } from './lists.ts';
import type { Db } from './schema.ts';

/** What a statement is built with: placeholders for values of these types. */
export type Given<Values> = {
  readonly [Name in keyof Values]: Values[Name] extends List<infer Element>
    ? GivenList<Element>
    : RawBuilder<Values[Name]>;
};

type Built<Row> = Compilable<Row> | RawBuilder<Row>;

/**
 * Makes a statement that is built and compiled once for each database (and once for each size that its lists
 * of rows need), and then runs with other values each time. It is meant for what many requests do: building a
 * statement costs more than running most of them. `build` must not depend on the values.
 */
export function prepared<Values extends object, Row>(
  build: (db: Db, given: Given<Values>) => Built<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const known = new WeakMap<DialectAdapter, Map<string, CompiledQuery<Row>>>();
  return async (db, values) => {
    const { adapter } = db.getExecutor();
    const statements = known.get(adapter) ?? new Map<string, CompiledQuery<Row>>();
    known.set(adapter, statements);
    const rooms = roomsOf(values);
    let statement = statements.get(rooms);
    if (!statement) {
      statement = compile(db, build(db, places(values)));
      statements.set(rooms, statement);
    }
    const parameters = statement.parameters.map((parameter) =>
      parameter instanceof Place ? parameter.of(values) : parameter,
    );
    return (await db.executeQuery<Row>({ ...statement, parameters })).rows;
  };
}

/**
 * Like `prepared`, for a statement that treats each of its rows by itself. A list that is too long is done in
 * pieces.
 */
export function preparedForEach<Values extends { readonly rows: List<Cells> }, Row>(
  build: (db: Db, given: Given<Values>) => Built<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const run = prepared(build);
  return async (db, values) => {
    const { elements } = values.rows;
    if (elements.length <= mostRoom) return run(db, values);
    const found: Row[][] = [];
    for (let from = 0; from < elements.length; from += mostRoom) {
      const rows = new List(elements.slice(from, from + mostRoom));
      found.push(await run(db, { ...values, rows }));
    }
    return found.flat();
  };
}

/**
 * Like `prepared`, for a read that is written in SQL. It marks the statement as a select, which its SQL does
 * not say.
 */
export function preparedRead<Values extends object, Row>(
  build: (db: Db, given: Given<Values>) => RawBuilder<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  return prepared((db, given: Given<Values>) => ({
    compile: () => ({ ...build(db, given).compile(db), query: aSelect }),
  }));
}

const aSelect = SelectQueryNode.createFrom([]);

function compile<Row>(db: Db, built: Built<Row>): CompiledQuery<Row> {
  return 'isRawBuilder' in built ? built.compile(db) : built.compile();
}

/** Returns a key for the sizes of the lists: each combination needs its own form of the statement. */
function roomsOf(values: object): string {
  let rooms = '';
  for (const value of Object.values(values)) if (value instanceof List) rooms += `${roomFor(value)} `;
  return rooms;
}

/** Returns an object that has a placeholder under every name. */
function places<Values extends object>(values: Values): Given<Values> {
  const place = (_target: object, name: PropertyKey) => {
    const value = values[name as keyof Values];
    return value instanceof List ? new GivenList(name, roomFor(value)) : sql`${new Place(name)}`;
  };
  return new Proxy({}, { get: place }) as Given<Values>;
}
