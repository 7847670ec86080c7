import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { errorCode } from './failures.ts';

/**
 * A statement gets a name once it was run this often. For a statement that runs once, a name would save
 * nothing.
 */
const namedAfter = 5;
/** The limit of named statements: each takes memory on each connection. */
const mostNamed = 250;
const mostCounted = 2_000;

/**
 * The names of frequent statements. PostgreSQL parses and plans a named statement once for each connection,
 * and any other each time it is run. A statement is known by its text, and is frequent when the same text has
 * come `namedAfter` times.
 */
export class StatementNames {
  readonly #counts = new LRUCache<string, number>({ max: mostCounted });
  readonly #names = new LRUCache<string, string>({ max: mostNamed });
  #generation = 0;

  /** Returns the name of the statement; undefined if it was not run often enough. */
  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const count = (this.#counts.get(text) ?? 0) + 1;
    this.#counts.set(text, count);
    if (count < namedAfter) return undefined;
    // The name is made from the text: behind a pooler, a name that another process gave then means the same
    // statement.
    const name = `s${this.#generation}_${hash('sha256', text, 'base64url').slice(0, 22)}`;
    this.#names.set(text, name);
    return name;
  }

  /** Gives all statements new names, because the tables that their plans were made for have changed. */
  renew(): void {
    this.#generation += 1;
    this.#names.clear();
  }
}

/**
 * Returns whether a migration by another node changed a table while this connection had a plan for it.
 * Nothing was read; if it happens in a transaction, all of the transaction runs again.
 */
export function isStalePlan(error: unknown): boolean {
  return (
    errorCode(error) === '0A000' &&
    error instanceof Error &&
    /cached plan must not change/u.test(error.message)
  );
}

type Query = (...words: unknown[]) => unknown;

/** Sends frequent statements of this connection by name from now on. */
export function nameStatements(client: pg.ClientBase, names: StatementNames): void {
  const query = client.query.bind(client) as Query;
  const named: Query = (text, values, ...more) => {
    const isPlain =
      typeof text === 'string' && Array.isArray(values) && values.length > 0 && more.length === 0;
    const name = isPlain ? names.of(text) : undefined;
    if (name === undefined) return query(text, values, ...more);
    const began = client.getTransactionStatus();
    return (query({ name, text, values }) as Promise<unknown>).catch((error: unknown) => {
      if (!isStalePlan(error)) throw error;
      names.renew();
      if (began !== 'I') throw error;
      return query(text, values);
    });
  };
  // The overloads are those of the function that it replaces.
  client.query = named as typeof client.query;
}
