import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { common } from './operators.ts';

/** The subjects that `admin doctor` checks, in this order. */
export const findingSubjects = [
  'app_host',
  'play_hosts',
  'preview_hosts',
  'certificates',
  'mail',
  'browser',
  'disk',
  'clock',
  'database',
  'store',
  'search',
  'backup',
] as const;

export const finding = z
  .object({
    about: z.enum(findingSubjects).describe('What was checked.'),
    state: z.enum(['ok', 'warning', 'wrong', 'not_looked_at']).meta({
      description: '`warning`: it works, but not all of it or not for everyone. `wrong`: it does not work.',
    }),
    said: z.string().describe('What was found.'),
    advice: z
      .string()
      .nullable()
      .meta({ description: 'What to do about it; null if nothing has to be done.' }),
  })
  .meta({ id: 'ServiceFinding' });

export const examineService = defineOperation({
  ...common,
  id: 'examineService',
  method: 'GET',
  path: '/api/operator/health/findings',
  summary:
    'Checks names, wildcard hosts, certificates, mail, browser, disk, clock, database, store, search index and backups, as seen from the node that answers.',
  answers: { 200: z.object({ findings: z.array(finding).describe('One finding for each subject.') }) },
  errors: [],
});
