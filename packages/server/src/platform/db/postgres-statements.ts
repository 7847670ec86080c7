import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { errorCode } from './failures.ts';

/** A statement gets a name when it comes this often: what comes once is planned once either way. */
const namedAfter = 5;
/** Each costs memory on each connection. */
const mostNamed = 250;
const mostCounted = 2_000;

/**
 * The names of statements that come again and again. PostgreSQL parses and plans a statement that has a name once for each
 * connection, any other each time. Which those are shows by itself: a statement is its text, and what is asked for often
 * has the same one.
 */
export class StatementNames {
  readonly #counts = new LRUCache<string, number>({ max: mostCounted });
  readonly #names = new LRUCache<string, string>({ max: mostNamed });
  #generation = 0;

  /** Undefined for one that has not come often enough. */
  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const count = (this.#counts.get(text) ?? 0) + 1;
    this.#counts.set(text, count);
    if (count < namedAfter) return undefined;
    // Of the text: behind a pooler a name that another process gave means the same statement.
    const name = `s${this.#generation}_${hash('sha256', text, 'base64url').slice(0, 22)}`;
    this.#names.set(text, name);
    return name;
  }

  /** Everything is named anew: what was planned is of tables that changed. */
  renew(): void {
    this.#generation += 1;
    this.#names.clear();
  }
}

/**
 * A migration by another node changed a table while this connection had a plan for it. Nothing was read; inside a
 * transaction it is the whole of it that runs again.
 */
export function isStalePlan(error: unknown): boolean {
  return (
    errorCode(error) === '0A000' &&
    error instanceof Error &&
    /cached plan must not change/u.test(error.message)
  );
}

type Query = (...words: unknown[]) => unknown;

/** From now on statements of this connection that come often are sent by name. */
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
  // Its overloads are those of the function it stands for.
  client.query = named as typeof client.query;
}
