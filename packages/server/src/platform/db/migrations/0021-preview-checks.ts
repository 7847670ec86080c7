import { type Kysely, sql } from 'kysely';

interface Tables {
  versions: { id: string; status: string; report: string | null; created_at: number };
  jobs: {
    id: string;
    kind: string;
    ref: string;
    run_at: number;
    attempts: number;
    outages: number;
    created_at: number;
  };
}

/** Requests a check for previews that were made before previews were checked. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db
    .insertInto('jobs')
    .columns(['id', 'kind', 'ref', 'run_at', 'attempts', 'outages', 'created_at'])
    .expression((from) =>
      from
        .selectFrom('versions')
        .select([
          sql<string>`'job_preview_' || id`.as('id'),
          sql.lit('check-preview').as('kind'),
          'id as ref',
          'created_at as run_at',
          sql.lit(0).as('attempts'),
          sql.lit(0).as('outages'),
          'created_at',
        ])
        .where('status', '=', 'preview')
        .where('report', 'is', null),
    )
    .execute();
}
