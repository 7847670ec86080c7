import type { Finding } from '@spaceport/contract/versions';
import type { Rule } from '../rule.ts';
import { ruleFindings, shown } from './finding.ts';
import { offSiteHost } from './off-site.ts';
import { eachFile } from './reading/each-file.ts';

const finding = ruleFindings('off-site-redirect');

/**
 * Finds pages that redirect to another site. A `<meta http-equiv="refresh">`, or a script
 * that redirects unasked, is refused. A script that redirects only when something calls it is
 * only mentioned. Links are allowed.
 */
export const offSiteRedirect: Rule = {
  name: 'off-site-redirect',
  check: (version) =>
    eachFile(version, {
      async visit(file) {
        const facts = await file.facts();
        if (!facts) return [];
        const host = (url: string): string | null => offSiteHost(url, version, file.path, facts.base);
        const findings: Finding[] = [];
        for (const target of new Set(facts.refreshes.map(host))) {
          if (target) findings.push(refusal(file.path, 'A <meta http-equiv="refresh">', target));
        }
        const atLoad = new Set(facts.redirects.filter((one) => one.atLoad).map(({ url }) => host(url)));
        for (const target of atLoad) {
          if (target) findings.push(refusal(file.path, 'A script', target));
        }
        for (const target of new Set(facts.redirects.map(({ url }) => host(url)))) {
          if (target && !atLoad.has(target)) findings.push(mention(file.path, target));
        }
        return findings;
      },
    }),
};

function refusal(path: string, what: string, host: string): Finding {
  return finding(
    'refuse',
    path,
    `${what} sends the page to ${shown(host)} as soon as it is opened.`,
    'Remove it, and put links to other sites on the page of the space (its links).',
  );
}

function mention(path: string, host: string): Finding {
  return finding(
    'warn',
    path,
    `A script can send the page to ${shown(host)}.`,
    'In the frame of a space it does nothing: put links to other sites on the page of the space (its links).',
  );
}
