import { parseKeepRules } from './backups/keep-rule.ts';
import { backupPlace, optional, span } from './config-parsers.ts';
import { setting } from './setting.ts';

/** The settings of the backups that the service takes automatically. */
export const backupSettings = {
  BACKUP_TO: setting(
    optional(backupPlace),
    '',
    'Where the service writes its automatic backups: a folder, or `s3://bucket/prefix?endpoint=…`; empty for none.',
    { secret: true },
  ),
  BACKUP_EVERY: setting(
    span,
    '1h',
    'How often a backup is taken: seconds, or 30m, 1h, 1d; at least ten minutes.',
  ),
  BACKUP_KEEP: setting(
    parseKeepRules,
    '24h 7d 4w 12m',
    'For how many hours, days, weeks and months (of 30 days) one backup each is kept: the newest.',
  ),
} as const;
