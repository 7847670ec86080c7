import { hashSecret, secretInText, secretKind, secretKinds } from '../../platform/secrets/secret.ts';
import type { Rule } from '../rule.ts';
import { ruleFindings } from './finding.ts';
import type { BytePattern } from './reading/byte-watch.ts';
import { eachFile } from './reading/each-file.ts';

const names = {
  token: 'an API token',
  claim: 'a claim token',
  secret: 'a secret key',
  device: 'a device sign-in code',
} as const;
const anySecret: BytePattern = { words: secretKinds.map((kind) => `sp_${kind}_`), pattern: secretInText };
const finding = ruleFindings('own-secrets');

/** Finds credentials of this service in files that everybody can read. The secret is never repeated. */
export const ownSecrets: Rule = {
  name: 'own-secrets',
  async check(version) {
    const found: { path: string; kind: keyof typeof names; hash: string }[] = [];
    await eachFile(version, {
      patterns: [anySecret],
      visit(file) {
        for (const secret of file.matches(anySecret)) {
          const kind = secretKind(secret);
          if (kind) found.push({ path: file.path, kind, hash: hashSecret(secret) });
        }
        return [];
      },
    });
    if (found.length === 0) return [];
    const live = await version.liveSecrets([...new Set(found.map(({ hash }) => hash))]);
    return found.map(({ path, kind, hash }) =>
      live.has(hash)
        ? finding(
            'refuse',
            path,
            `It holds ${names[kind]} of this service that is in use.`,
            'Remove it, revoke it and make a new one: scores and achievements that need a secret are sent by your own server, never by the page.',
          )
        : finding(
            'warn',
            path,
            `It holds what looks like ${names[kind]} of this service, but it is not in use.`,
            'Remove it; credentials do not belong in published files.',
          ),
    );
  },
};
