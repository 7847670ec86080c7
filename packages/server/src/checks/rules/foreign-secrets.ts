import type { Finding } from '@spaceport/contract/versions';
import type { Rule } from '../rule.ts';
import { ruleFindings } from './finding.ts';
import type { BytePattern } from './reading/byte-watch.ts';
import { eachFile } from './reading/each-file.ts';

interface Kind extends BytePattern {
  /** Completes the message «It holds …». */
  readonly what: string;
  /** Completes the message about what a finder can do with it. */
  readonly harm: string;
  /** The fix, if it is not to take the secret out at once. */
  readonly fix?: string;
}

const aPage = 'A page cannot keep a secret.';

/** Patterns that match only keys of these services, by their prefixes and lengths. */
const foreignKinds: readonly Kind[] = [
  {
    what: 'an access key of AWS',
    harm: 'use the account it belongs to, and run up its bill',
    words: ['akia', 'asia'],
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])/gu,
  },
  {
    what: 'a token of GitHub',
    harm: 'read and change repositories',
    words: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern:
      /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})(?![A-Za-z0-9])/gu,
  },
  {
    what: 'a live secret key of Stripe',
    harm: 'take payments and refunds in its name',
    words: ['sk_live_', 'rk_live_'],
    pattern: /(?<![A-Za-z0-9])[sr]k_live_[A-Za-z0-9]{24,247}/gu,
  },
  {
    what: 'an API key of Google',
    harm: 'spend its quota',
    fix: "A key that is made for pages (Maps, Firebase) may stay if it is restricted to your page's address in the Google Cloud console; remove any other key and revoke it.",
    words: ['aiza'],
    pattern: /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/gu,
  },
  {
    what: 'a client secret of Google',
    harm: 'sign in as the app',
    words: ['gocspx-'],
    pattern: /(?<![A-Za-z0-9])GOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/gu,
  },
  {
    what: 'a token or webhook of Slack',
    harm: 'read and write in the workspace',
    words: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'hooks.slack.com'],
    pattern:
      /(?<![A-Za-z0-9])xox[abprs]-(?:\d{6,}-){1,3}[A-Za-z0-9-]{16,200}|hooks\.slack\.com\/services\/T[A-Z0-9]{6,}\/B[A-Z0-9]{6,}\/[A-Za-z0-9]{16,}/gu,
  },
  {
    what: 'a webhook of Discord',
    harm: 'write in its channel',
    words: ['/api/webhooks/'],
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{15,21}\/[A-Za-z0-9_-]{60,80}/gu,
  },
  {
    what: 'an API key of OpenAI or Anthropic',
    harm: 'spend the money of the account',
    words: ['sk-proj-', 'sk-svcacct-', 'sk-ant-'],
    pattern: /(?<![A-Za-z0-9])sk-(?:proj|svcacct|ant-api\d\d|ant-admin\d\d)-[A-Za-z0-9_-]{40,300}/gu,
  },
  {
    what: 'a token of npm',
    harm: 'publish packages in its name',
    words: ['npm_'],
    pattern: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/gu,
  },
  {
    what: 'a private key',
    harm: 'act in the name of its owner',
    words: ['private key'],
    // The pattern includes the start of the key itself: libraries that read keys contain only the first line.
    pattern:
      /-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED) )?PRIVATE KEY-----(?:\s|\\[nr]|["'+`,]){1,20}[A-Za-z0-9+/]{40}/gu,
  },
];

const finding = ruleFindings('foreign-secrets');

/**
 * Finds secrets of other services in files that everybody can read. They harm their owner but not players, so
 * these are warnings. The secret is never repeated.
 */
export const foreignSecrets: Rule = {
  name: 'foreign-secrets',
  check(version) {
    return eachFile(version, {
      patterns: foreignKinds,
      visit: (file) =>
        foreignKinds.filter((kind) => file.matches(kind).length > 0).map((kind) => told(kind, file.path)),
    });
  },
};

function told({ what, harm, fix }: Kind, path: string): Finding {
  return finding(
    'warn',
    path,
    `It holds what looks like ${what}: everyone who opens the page can read it and ${harm}.`,
    fix ??
      `Revoke it now, even if you unpublish: others may have it already. ${aPage} Call the service from a server of your own.`,
  );
}
