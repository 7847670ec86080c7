import { type CompiledQuery, type RawBuilder, sql } from 'kysely';

/** One row of a list of rows. */
export type Cells = readonly (string | number | null)[];

/**
 * The type of a cell, by a name that both engines know. PostgreSQL gets a `long text` as bytes: in an array it would
 * have to look at each of its characters.
 */
export type CellType = 'text' | 'long text' | 'integer' | 'bigint' | 'double precision';

/** The types of the cells of a row; a number of cells that are all texts. */
export type CellTypes = number | readonly CellType[];

/** A statement for one row that SQLite's driver runs for each of these rows. */
export interface RowByRow extends CompiledQuery {
  readonly each: readonly Cells[];
}

export function isRowByRow(query: CompiledQuery): query is RowByRow {
  return 'each' in query;
}

/** A list that is given to a prepared statement as one value. `listOf` makes it. */
export class List<Element> {
  readonly elements: readonly Element[];

  constructor(elements: readonly Element[]) {
    this.elements = elements;
  }
}

export function listOf<Element>(elements: readonly Element[]): List<Element> {
  return new List(elements);
}

/** The most rows of a list whose cells a statement takes as separate values. */
export const mostRoom = 256;

/**
 * Returns how many rows a statement for this list has room for: the next power of two, so that a few
 * statements do for all lengths. Returns null if there are too many elements, or if they are not rows: then
 * the list is given as one value.
 */
export function roomFor({ elements }: List<unknown>): number | null {
  if (elements.length > mostRoom || !Array.isArray(elements[0])) return null;
  return 2 ** Math.ceil(Math.log2(elements.length));
}

/**
 * A placeholder among the parameters of a compiled statement, which is replaced by a value when the statement
 * runs.
 */
export class Place {
  readonly name: PropertyKey;
  readonly #read: (value: unknown) => unknown;

  constructor(name: PropertyKey, read: (value: unknown) => unknown = (value) => value) {
    this.name = name;
    this.#read = read;
  }

  of(values: object): unknown {
    // The types of `prepared` make sure that a value of this name is there.
    return this.#read((values as Record<PropertyKey, unknown>)[this.name]);
  }
}

/** The placeholder of one cell of a list of rows. A group of scores has some two thousand of them. */
class CellPlace extends Place {
  readonly #row: number;
  readonly #column: number;

  constructor(name: PropertyKey, row: number, column: number) {
    super(name);
    this.#row = row;
    this.#column = column;
  }

  /** Returns null for a row past the last. */
  override of(values: object): unknown {
    // The types of `prepared` make sure that this is a list of rows.
    const { elements } = (values as Record<PropertyKey, unknown>)[this.name] as List<Cells>;
    return elements[this.#row]?.[this.#column] ?? null;
  }
}

/** The placeholder of a list in a statement, with the ways to write it in SQL. */
export class GivenList<Element> {
  readonly #name: PropertyKey;
  /** The result of `roomFor`. */
  readonly room: number | null;

  constructor(name: PropertyKey, room: number | null) {
    this.#name = name;
    this.room = room;
  }

  /** The list as one JSON text. */
  json(): RawBuilder<string> {
    return this.#place((elements) => JSON.stringify(elements));
  }

  /** The list, or one column of its rows, as a PostgreSQL array of texts. */
  array(column?: number): RawBuilder<readonly Element[]> {
    return this.#place((elements) =>
      arrayText(column === undefined ? elements : elements.map((row) => (row as Cells)[column])),
    );
  }

  /** A column of texts as bytes, with the starts (from 1) and the lengths of the texts in them, as PostgreSQL arrays. */
  bytes(column: number) {
    const textsOf = (rows: readonly unknown[]) => rows.map((row) => String((row as Cells)[column]));
    const lengthsOf = (rows: readonly unknown[]) => textsOf(rows).map((text) => Buffer.byteLength(text));
    return {
      texts: this.#place<Buffer>((rows) => Buffer.concat(textsOf(rows).map((text) => Buffer.from(text)))),
      starts: this.#place<readonly number[]>((rows) => {
        let end = 1;
        return arrayText(
          lengthsOf(rows).map((length) => {
            end += length;
            return end - length;
          }),
        );
      }),
      lengths: this.#place<readonly number[]>((rows) => arrayText(lengthsOf(rows))),
    };
  }

  /** One cell of the list, if the statement has room for its rows; null for a row past the last. */
  cell(row: number, column: number): RawBuilder<unknown> {
    return sql`${new CellPlace(this.#name, row, column)}`;
  }

  length(): RawBuilder<number> {
    return this.#place(({ length }) => length);
  }

  #place<T>(read: (elements: readonly unknown[]) => unknown): RawBuilder<T> {
    return sql<T>`${new Place(this.#name, (list) => read((list as List<unknown>).elements))}`;
  }
}

function arrayText(elements: readonly unknown[]): string {
  const texts = elements.map((element) =>
    typeof element === 'string' ? `"${element.replaceAll(/["\\]/gu, '\\$&')}"` : String(element ?? 'NULL'),
  );
  return `{${texts.join(',')}}`;
}
