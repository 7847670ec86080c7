import { createHash } from 'node:crypto';
import type { Finding } from '@spaceport/contract/versions';
import type { RenderedDocument } from '../../platform/browser/visit.ts';
import type { CheckedFile, CheckedVersion } from '../rule.ts';
import { offSitePasswordForm } from '../rules/off-site-password-form.ts';
import { seedPhraseForm } from '../rules/seed-phrase-form.ts';
import { requireDecided, runRules } from '../verdict.ts';
import { brandSignIns } from './brand-sign-in.ts';

/** Rules that read what a page shows, whether its source or its scripts wrote it. */
const rules = [offSitePasswordForm, seedPhraseForm];

/**
 * Runs the rules on the page as its scripts left it. Warnings are left out: the source gave them already.
 * @throws the error of a rule that threw
 */
export async function checkRendered(
  documents: readonly RenderedDocument[],
  version: Pick<CheckedVersion, 'entry' | 'origin' | 'moduleUrl' | 'hasModule' | 'liveSecrets' | 'signal'>,
): Promise<Finding[]> {
  const verdict = await runRules(rules, { ...version, files: documents.map(asFile) });
  requireDecided(verdict);
  const serious = verdict.findings.filter(({ severity }) => severity !== 'warn');
  return [
    ...serious.map((one) => ({
      ...one,
      path: version.entry,
      message: `Opened in a browser: ${one.message}`,
    })),
    ...brandSignIns(documents, version.entry),
  ];
}

function asFile({ html }: RenderedDocument, index: number): CheckedFile {
  const bytes = Buffer.from(html);
  return {
    path: `rendered-${index}.html`,
    hash: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    open: async () => bytesOf(bytes),
  };
}

async function* bytesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
