import {
  type Compilable,
  type CompiledQuery,
  type DialectAdapter,
  type RawBuilder,
  SelectQueryNode,
  sql,
} from 'kysely';
import type { Db } from './schema.ts';

/** What a statement is built with, in the places of values of these types. */
export type Given<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> };

type Built<Row> = Compilable<Row> | RawBuilder<Row>;

/**
 * A statement that is built and compiled once for each database, and run with other values each time: building one costs
 * more than most take to run. For what many requests do; `build` must not depend on values.
 */
export function prepared<Values extends object, Row>(
  build: (db: Db, given: Given<Values>) => Built<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const known = new WeakMap<DialectAdapter, CompiledQuery<Row>>();
  return async (db, values) => {
    const { adapter } = db.getExecutor();
    let statement = known.get(adapter);
    if (!statement) {
      statement = compile(db, build(db, places<Values>()));
      known.set(adapter, statement);
    }
    const parameters = statement.parameters.map((parameter) =>
      parameter instanceof Place ? values[parameter.name as keyof Values] : parameter,
    );
    return (await db.executeQuery<Row>({ ...statement, parameters })).rows;
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

/** Stands among the parameters of a compiled statement for a value. */
class Place {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Whatever it is asked for is the place of the value of that name. */
function places<Values>(): Given<Values> {
  const place = (_target: object, name: PropertyKey) => sql`${new Place(name)}`;
  return new Proxy({}, { get: place }) as Given<Values>;
}
