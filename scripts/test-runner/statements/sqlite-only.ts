const keptRuns =
  'runs are kept in memory where one process writes, which is SQLite; kept-runs.test.ts and segments.queries.test.ts look at the ranks';

const keptDetails =
  'handles and times are kept in memory where the database is in the process; PostgreSQL joins them (withDetails)';

const keptForReads =
  'reads count with the runs that are kept, which they are on SQLite; kept-runs.test.ts looks at the ranks';

/** Statements that no service makes on PostgreSQL, each with the reason. */
export const sqliteOnly: Readonly<Record<string, string>> = {
  'packages/server/src/boards/ranked-page.queries.ts withHead': keptDetails,
  'packages/server/src/boards/ranked-page.queries.ts placesOf': keptDetails,
  'packages/server/src/boards/ranked-page.queries.ts findRankedPage/2': keptForReads,
  'packages/server/src/boards/ranked-page.queries.ts findRankedPage/3': keptForReads,
  'packages/server/src/boards/ranked-page.queries.ts counted': keptForReads,
  'packages/server/src/boards/ranked-page.queries.ts countedPage': keptForReads,
  'packages/server/src/boards/segments.queries.ts withSegment': keptForReads,
  'packages/server/src/boards/runs.queries.ts findRuns': keptRuns,
  'packages/server/src/boards/runs.queries.ts allRuns': keptRuns,
  'packages/server/src/boards/segments.queries.ts ranksOf/2': keptRuns,
  'packages/server/src/boards/segments.queries.ts ranksOf/3': keptRuns,
};
