const keptRuns =
  'runs are kept in memory where one process writes, which is SQLite; kept-runs.test.ts and segments.queries.test.ts look at the ranks';

const keptDetails =
  'handles and times are kept in memory where the database is in the process; PostgreSQL joins them (withDetails)';

/** Statements that no service makes on PostgreSQL, each with the reason. */
export const sqliteOnly: Readonly<Record<string, string>> = {
  'packages/server/src/boards/read-entries.queries.ts withHead': keptDetails,
  'packages/server/src/boards/runs.queries.ts findRuns': keptRuns,
  'packages/server/src/boards/runs.queries.ts allRuns': keptRuns,
  'packages/server/src/boards/segments.queries.ts ranksOf/2': keptRuns,
  'packages/server/src/boards/segments.queries.ts ranksOf/3': keptRuns,
  'packages/server/src/boards/segments.queries.ts inSegmentRows': keptRuns,
};
