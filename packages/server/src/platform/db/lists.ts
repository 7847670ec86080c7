import { type RawBuilder, sql } from 'kysely';

/** What one row of a list of rows is made of. */
export type Cells = readonly (string | number | null)[];

/** A list as the one value of a prepared statement: `listOf` makes it. */
export class List<Element> {
  readonly elements: readonly Element[];

  constructor(elements: readonly Element[]) {
    this.elements = elements;
  }
}

export function listOf<Element>(elements: readonly Element[]): List<Element> {
  return new List(elements);
}

/** Statements have room for so many rows at most whose cells are values of their own. */
export const mostRoom = 256;

/**
 * For how many rows a statement has room that is given these: the next power of two, so that few statements do for all
 * lengths. Null where there are too many, or where they are no rows: then the list is one value.
 */
export function roomFor({ elements }: List<unknown>): number | null {
  if (elements.length > mostRoom || !Array.isArray(elements[0])) return null;
  return 2 ** Math.ceil(Math.log2(elements.length));
}

/** Stands among the parameters of a compiled statement for a value. */
export class Place {
  readonly name: PropertyKey;
  readonly #read: (value: unknown) => unknown;

  constructor(name: PropertyKey, read: (value: unknown) => unknown = (value) => value) {
    this.name = name;
    this.#read = read;
  }

  of(values: object): unknown {
    // What is not there was not asked for by its type either.
    return this.#read((values as Record<PropertyKey, unknown>)[this.name]);
  }
}

/** The place of a list in a statement, and the ways to spell it. */
export class GivenList<Element> {
  readonly #name: PropertyKey;
  /** As `roomFor` has it. */
  readonly room: number | null;

  constructor(name: PropertyKey, room: number | null) {
    this.#name = name;
    this.room = room;
  }

  /** The list as one JSON text. */
  json(): RawBuilder<string> {
    return this.#place((elements) => JSON.stringify(elements));
  }

  /** The list, or a column of its rows, as PostgreSQL writes an array of texts. */
  array(column?: number): RawBuilder<readonly Element[]> {
    return this.#place((elements) =>
      arrayText(column === undefined ? elements : elements.map((row) => (row as Cells)[column])),
    );
  }

  /** A cell, where it has room for the row; null past the last. */
  cell(row: number, column: number): RawBuilder<unknown> {
    return this.#place((elements) => (elements[row] as Cells | undefined)?.[column] ?? null);
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
