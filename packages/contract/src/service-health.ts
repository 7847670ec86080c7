import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { common } from './operators.ts';
import { timestamp } from './primitives.ts';

/** The health of the service, for its operators. */
const serviceState = z.enum(['ok', 'unavailable']);

const browserHealth = z
  .object({
    state: z.enum(['ready', 'starting', 'off', 'failing', 'elsewhere']).meta({
      description:
        '`off`: no page is opened, so versions are checked by the rules alone and there are no clips. `failing`: one is there and does not start, so versions stay unjudged. `elsewhere`: separate workers have the browser.',
    }),
    version: z.string().nullable().meta({ description: "Chromium's." }),
    from: z.enum(['machine', 'npm', 'path']).nullable().describe('Where it was found.'),
    age_days: z.number().int().nullable().meta({
      description: 'Days since this Chromium came out, by its release calendar; give or take two weeks.',
    }),
    sandbox: z.boolean().nullable().describe('Whether its processes are sandboxed.'),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it is off or failing, or what is wrong with it.' }),
  })
  .meta({ id: 'BrowserHealth' });

const backupHealth = z
  .object({
    state: z.enum(['off', 'none', 'ok', 'late', 'failed']).meta({
      description:
        '`off`: BACKUP_TO is not set. `none`: there is none yet. `late`: the newest is older than twice BACKUP_EVERY, or was dated by a clock that was ahead. `failed`: the last backup failed and is tried again.',
    }),
    running: z.boolean().describe('Whether one is being taken now.'),
    error: z.string().nullable().describe('Why the last one failed.'),
    newest: z
      .object({
        id: z.string().describe('What `admin restore --id` takes.'),
        made_at: timestamp.describe('The time of the data in it.'),
        files: z.number().int().describe('How many files it has.'),
        bytes: z.number().int().describe('The size of all its files, in bytes.'),
        copied: z.number().int().describe('Files that no earlier backup had.'),
        lost: z.number().int().describe('Files that were missing or damaged in the store.'),
      })
      .nullable()
      .describe('The newest complete backup.'),
  })
  .meta({ id: 'BackupHealth' });

export const readServiceHealth = defineOperation({
  ...common,
  id: 'readServiceHealth',
  method: 'GET',
  path: '/api/operator/health',
  summary:
    'The queue by kind of job, the jobs that have failed for good, and the state of what the service depends on.',
  answers: {
    200: z.object({
      database: serviceState.describe('Whether it answers.'),
      store: serviceState.describe('Whether files can be read and written.'),
      browser: browserHealth.describe('The browser that opens pages for checks and clips.'),
      backup: backupHealth.describe('The automatic backups of the service.'),
      processes: z
        .array(
          z.object({
            number: z.number().int().describe('From 1.'),
            started_at: timestamp.describe('When it began.'),
            memory_bytes: z.number().int().describe('How much of the machine’s memory it uses.'),
            runs_jobs: z.boolean().describe('Whether background jobs run in it.'),
            restarts: z.number().int().meta({
              description: 'How often a process in its place has ended unexpectedly.',
            }),
          }),
        )
        .meta({ description: 'The processes of the node that answers, as many as PROCESSES says.' }),
      open_reviews: z.number().int().describe('How many are waiting.'),
      open_reports: z.number().int().describe('How many are waiting.'),
      jobs: z
        .array(
          z.object({
            kind: z.string().describe('What the jobs do.'),
            waiting: z.number().int().meta({ description: 'Due, and not leased by a worker.' }),
            running: z.number().int().describe('Leased by a worker.'),
            later: z.number().int().meta({ description: 'Not due yet.' }),
            failed: z.number().int().describe('Failed for good.'),
            oldest_waiting_since: timestamp.nullable().describe('Null if none waits.'),
          }),
        )
        .describe('The queue by kind of job.'),
      lost_count: z.number().int().meta({ description: 'How many stored files are missing or damaged.' }),
      lost_files: z
        .array(
          z.object({
            key: z.string().meta({ description: 'Its key in the store; begins with its SHA-256.' }),
            problem: z.enum(['missing', 'damaged']).describe('What is wrong with it.'),
            found_at: timestamp.describe('When it was found.'),
          }),
        )
        .meta({
          description:
            'The 100 of them that were found first. `createVersion` asks for such a file again if it is named; `admin verify --repair` restores them from a copy.',
        }),
      failed_jobs: z
        .array(
          z.object({
            kind: z.string().describe('What the job was to do.'),
            ref: z.string().describe('What it was about.'),
            attempts: z.number().int().describe('How often it was tried.'),
            error: z.string().nullable().describe('The last error.'),
            failed_at: timestamp.describe('When it failed for good.'),
          }),
        )
        .describe('The jobs that failed for good.'),
    }),
  },
  errors: [],
});
