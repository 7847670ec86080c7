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

/** What a statement is built with, in the places of values of these types. */
export type Given<Values> = {
  readonly [Name in keyof Values]: Values[Name] extends List<infer Element>
    ? GivenList<Element>
    : RawBuilder<Values[Name]>;
};

type Built<Row> = Compilable<Row> | RawBuilder<Row>;

/**
 * A statement that is built and compiled once for each database, and for each room that its lists of rows need, and run with
 * other values each time: building one costs more than most take to run. For what many requests do; `build` must not depend
 * on values.
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

/** As `prepared`, for a statement that does each of its rows by itself: more than there is room for are done in pieces. */
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

/** As `prepared`, for a statement that only reads, where its SQL is written out and so does not say that. */
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

/** Which of the statement's spellings these values need. */
function roomsOf(values: object): string {
  let rooms = '';
  for (const value of Object.values(values)) if (value instanceof List) rooms += `${roomFor(value)} `;
  return rooms;
}

/** Whatever it is asked for is the place of the value of that name. */
function places<Values extends object>(values: Values): Given<Values> {
  const place = (_target: object, name: PropertyKey) => {
    const value = values[name as keyof Values];
    return value instanceof List ? new GivenList(name, roomFor(value)) : sql`${new Place(name)}`;
  };
  return new Proxy({}, { get: place }) as Given<Values>;
}
