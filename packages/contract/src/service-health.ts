import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { common } from './operators.ts';
import { timestamp } from './primitives.ts';

/** The health of the service, for its operators. */
const serviceState = z.enum(['ok', 'unavailable']);

const browserHealth = z
  .object({
    state: z.enum(['ready', 'starting', 'off', 'elsewhere']).meta({
      description:
        '`off`: no page is opened, so versions are checked by the rules alone and there are no clips. `elsewhere`: workers of their own have it.',
    }),
    version: z.string().nullable().meta({ description: "Chromium's." }),
    from: z.enum(['machine', 'npm', 'path']).nullable().describe('Where it was found.'),
    age_days: z.number().int().nullable().meta({
      description: 'Days since this Chromium came out, by its release calendar; give or take two weeks.',
    }),
    sandbox: z.boolean().nullable().describe('Whether its processes are sandboxed.'),
    reason: z.string().nullable().meta({ description: 'Why it is off, or what is not as it should be.' }),
  })
  .meta({ id: 'BrowserHealth' });

const backupHealth = z
  .object({
    state: z.enum(['off', 'none', 'ok', 'late', 'failed']).meta({
      description:
        '`off`: BACKUP_TO is not set. `none`: there is none yet. `late`: the newest is older than twice BACKUP_EVERY. `failed`: the last one did, and is tried again.',
    }),
    running: z.boolean().describe('Whether one is being taken now.'),
    error: z.string().nullable().describe('Why the last one failed.'),
    newest: z
      .object({
        id: z.string().describe('What `admin restore --id` takes.'),
        made_at: timestamp.describe('What it holds is of then.'),
        files: z.number().int().describe('How many it has.'),
        bytes: z.number().int().describe('Of all its files.'),
        copied: z.number().int().describe('Files that no backup before it had.'),
        lost: z.number().int().describe('Files that the store did not have, or not as they were.'),
      })
      .nullable()
      .describe('The newest that is whole.'),
  })
  .meta({ id: 'BackupHealth' });

export const readServiceHealth = defineOperation({
  ...common,
  id: 'readServiceHealth',
  method: 'GET',
  path: '/api/operator/health',
  summary: 'The queue by kind of job, the jobs that have failed for good, and what the service stands on.',
  answers: {
    200: z.object({
      database: serviceState.describe('Whether it answers.'),
      store: serviceState.describe('Whether files can be read and written.'),
      browser: browserHealth.describe('What pages are looked at with.'),
      backup: backupHealth.describe('The backups that the service takes by itself.'),
      processes: z
        .array(
          z.object({
            number: z.number().int().describe('From 1.'),
            started_at: timestamp.describe('When it began.'),
            memory_bytes: z.number().int().describe('What it holds of the machine’s memory.'),
            runs_jobs: z.boolean().describe('Whether background jobs run in it.'),
            restarts: z.number().int().meta({
              description: 'How often a process in its place has ended without being told to.',
            }),
          }),
        )
        .meta({ description: 'Those of the node that answers, as many as PROCESSES says.' }),
      open_reviews: z.number().int().describe('How many wait.'),
      open_reports: z.number().int().describe('How many wait.'),
      jobs: z
        .array(
          z.object({
            kind: z.string().describe('What the jobs do.'),
            waiting: z.number().int().meta({ description: 'Due, and not leased by a worker.' }),
            running: z.number().int().describe('Leased by a worker.'),
            later: z.number().int().meta({ description: 'Not due yet.' }),
            failed: z.number().int().describe('Failed for good.'),
            oldest_waiting_since: timestamp.nullable().describe('Null where none waits.'),
          }),
        )
        .describe('The queue by kind of job.'),
      lost_files: z
        .array(
          z.object({
            key: z.string().meta({ description: 'Where the store has it; begins with its SHA-256.' }),
            problem: z.enum(['missing', 'damaged']).describe('What is wrong with it.'),
            found_at: timestamp.describe('When it was found.'),
          }),
        )
        .meta({
          description:
            'Stored files that are missing or not what their hash says. A create that names one asks for it again; `admin verify --repair` mends them from a copy.',
        }),
      failed_jobs: z
        .array(
          z.object({
            kind: z.string().describe('What the job was to do.'),
            ref: z.string().describe('What it was about.'),
            attempts: z.number().int().describe('How often it was tried.'),
            error: z.string().nullable().describe('What it said at last.'),
            failed_at: timestamp.describe('When it was given up.'),
          }),
        )
        .describe('Those that failed for good.'),
    }),
  },
  errors: [],
});
