import { type Dialect, Transaction } from 'kysely';
import type { Db, Schema } from './schema.ts';

/**
 * Runs `work` in a transaction and sends each statement as soon as it is made. Statements that are made side by side do
 * not wait for each other's results; the server runs them in the order in which they were made. Kysely itself sends one
 * statement at a time.
 */
export function pipelined<T>(
  db: Db,
  dialect: Dialect,
  work: (trx: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  // A lock before a count needs it: with other levels, which a server can have as its default, the count is as old as
  // the transaction.
  return db
    .transaction()
    .setIsolationLevel('read committed')
    .execute((serial) =>
      serial.getExecutor().provideConnection(async (connection) => {
        let isOver = false;
        const executor = serial.getExecutor().withConnectionProvider({
          async provideConnection(use) {
            // When one of several statements fails, code beside it may go on. After the rollback, its next statement
            // would be committed by itself.
            if (isOver) throw new Error('A statement after the end of its transaction.');
            return use(connection);
          },
        });
        try {
          return await work(
            new Transaction<Schema>({
              config: { dialect },
              dialect,
              driver: dialect.createDriver(),
              executor,
            }),
          );
        } finally {
          isOver = true;
        }
      }),
    );
}
