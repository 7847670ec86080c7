import type { CleanedWhere, CustomAdapter } from 'better-auth/adapters';
import { createAdapterFactory } from 'better-auth/adapters';
import type { ExpressionBuilder, ExpressionWrapper, Kysely, SqlBool } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { hashSessionToken, sessionsTable } from './session-token.ts';

type Row = Record<string, unknown>;
type AnySchema = Record<string, Row>;
type Expressions = ExpressionBuilder<AnySchema, string>;
type Condition = (where: Expressions) => ExpressionWrapper<AnySchema, string, SqlBool>;

/**
 * better-auth on our tables. Its own Kysely adapter would want other column types on each engine; here instants are
 * integer milliseconds and flags 0 or 1 as in every other table, and a session's token is stored as a hash.
 */
export function createAuthAdapter(database: Database) {
  // The tables are named at run time, by better-auth's options.
  const db = database.db as unknown as Kysely<AnySchema>;
  return createAdapterFactory({
    config: {
      adapterId: 'spaceport',
      supportsNumericIds: false,
      supportsBooleans: false,
      customTransformInput: ({ data }) => toColumn(data),
      customTransformOutput: ({ data, fieldAttributes }) =>
        fieldAttributes.type === 'date' && typeof data === 'number' ? new Date(data) : data,
    },
    adapter: ({ getFieldName }) => adapt(db, (model, field) => getFieldName({ model, field })),
  });
}

function adapt(db: Kysely<AnySchema>, columnOf: (model: string, field: string) => string): CustomAdapter {
  return {
    async create({ model, data }) {
      const stored = hidden(model, data as Row);
      const row = await db.insertInto(model).values(stored).returningAll().executeTakeFirstOrThrow();
      return shown(model, row, (data as Row).token) as typeof data;
    },
    async findOne<T>({ model, where }: { model: string; where: CleanedWhere[] }) {
      const row = await db.selectFrom(model).selectAll().where(matching(model, where)).executeTakeFirst();
      return (row ? shown(model, row, askedToken(where)) : null) as T | null;
    },
    async findMany<T>({
      model,
      where = [],
      limit,
      sortBy,
      offset,
    }: Parameters<CustomAdapter['findMany']>[0]) {
      let query = db.selectFrom(model).selectAll().where(matching(model, where)).limit(limit);
      if (sortBy) query = query.orderBy(columnOf(model, sortBy.field), sortBy.direction);
      if (offset !== undefined) query = query.offset(offset);
      return (await query.execute()) as T[];
    },
    async update<T>({ model, where, update }: { model: string; where: CleanedWhere[]; update: T }) {
      const changed = hidden(model, update as Row);
      const query = db.updateTable(model).set(changed).where(matching(model, where)).returningAll();
      const row = await query.executeTakeFirst();
      return (row ? shown(model, row, askedToken(where)) : null) as T | null;
    },
    async updateMany({ model, where, update }) {
      const query = db.updateTable(model).set(hidden(model, update)).where(matching(model, where));
      return Number((await query.executeTakeFirst()).numUpdatedRows);
    },
    async delete({ model, where }) {
      await db.deleteFrom(model).where(matching(model, where)).execute();
    },
    async deleteMany({ model, where }) {
      return Number(
        (await db.deleteFrom(model).where(matching(model, where)).executeTakeFirst()).numDeletedRows,
      );
    },
    // One statement, so that of two who use the same link one gets nothing.
    async consumeOne<T>({ model, where }: { model: string; where: CleanedWhere[] }) {
      const row = await db.deleteFrom(model).where(matching(model, where)).returningAll().executeTakeFirst();
      return (row ?? null) as T | null;
    },
    async count({ model, where = [] }) {
      const query = db
        .selectFrom(model)
        .select(db.fn.countAll<number>().as('n'))
        .where(matching(model, where));
      return Number((await query.executeTakeFirst())?.n ?? 0);
    },
  };
}

function matching(model: string, clauses: readonly CleanedWhere[]): Condition {
  return (where) => {
    const all = clauses
      .filter(({ connector }) => connector !== 'OR')
      .map((clause) => toCondition(where, model, clause));
    const any = clauses
      .filter(({ connector }) => connector === 'OR')
      .map((clause) => toCondition(where, model, clause));
    return any.length === 0 ? where.and(all) : where.and([...all, where.or(any)]);
  };
}

const comparisons = { eq: '=', ne: '!=', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

function toCondition(where: Expressions, model: string, { field, operator, value }: CleanedWhere) {
  const stored = (single: unknown) =>
    isToken(model, field) && typeof single === 'string' ? hashSessionToken(single) : toColumn(single);
  if (operator === 'in' || operator === 'not_in') {
    const list = (Array.isArray(value) ? value : [value]).map(stored);
    return where(field, operator === 'in' ? 'in' : 'not in', list);
  }
  if (!Object.hasOwn(comparisons, operator))
    throw new Error(`better-auth asks for «${operator}», which we do not do.`);
  const comparison = comparisons[operator as keyof typeof comparisons];
  if (value === null) return where(field, comparison === '=' ? 'is' : 'is not', null);
  return where(field, comparison, stored(value));
}

function isToken(model: string, field: string): boolean {
  return model === sessionsTable && field === 'token';
}

function hidden(model: string, row: Row): Row {
  if (model !== sessionsTable || typeof row.token !== 'string') return row;
  return { ...row, token: hashSessionToken(row.token) };
}

/** The row as better-auth knows it: with the token it asked by, which is not stored. */
function shown(model: string, row: Row, token: unknown): Row {
  return model === sessionsTable && typeof token === 'string' ? { ...row, token } : row;
}

function askedToken(where: readonly CleanedWhere[]): unknown {
  return where.find(({ field, operator }) => field === 'token' && operator === 'eq')?.value;
}

function toColumn(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  return typeof value === 'boolean' ? Number(value) : value;
}
