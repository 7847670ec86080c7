import type { Rule } from '../rule.ts';
import { eicar } from './eicar.ts';
import { entryProblems } from './entry-problems.ts';
import { executables } from './executables.ts';
import { foreignSecrets } from './foreign-secrets.ts';
import { miners } from './miners.ts';
import { offSitePasswordForm } from './off-site-password-form.ts';
import { offSiteRedirect } from './off-site-redirect.ts';
import { ownSecrets } from './own-secrets.ts';
import { seedPhraseForm } from './seed-phrase-form.ts';
import { unreadParts } from './unread-parts.ts';

/**
 * The rules that need only the files. They do not depend on each other. Their order is that of the report.
 */
export const allRules: readonly Rule[] = [
  executables,
  eicar,
  offSitePasswordForm,
  seedPhraseForm,
  miners,
  offSiteRedirect,
  ownSecrets,
  foreignSecrets,
  unreadParts,
  entryProblems,
];
