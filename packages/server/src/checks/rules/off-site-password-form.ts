import type { Rule } from '../rule.ts';
import { ruleFindings, shown } from './finding.ts';
import { offSiteHost } from './off-site.ts';
import { eachFile } from './reading/each-file.ts';

const finding = ruleFindings('off-site-password-form');

/** Finds forms that take passwords, one-time codes or cards, and post them to another site. */
export const offSitePasswordForm: Rule = {
  name: 'off-site-password-form',
  check: (version) =>
    eachFile(version, {
      async visit(file) {
        const facts = await file.facts();
        const sensitive = facts?.forms.filter((form) => form.sensitive !== null) ?? [];
        if (!facts || sensitive.length === 0) return [];
        return sensitive.flatMap((form) => {
          // A form without an action posts to its own page, whatever <base> says.
          const host = [...form.destinations, ...facts.assignedActions]
            .map((url) => offSiteHost(url, version, file.path, facts.base))
            .find((one) => one !== null);
          if (!host) return [];
          return finding(
            'refuse',
            file.path,
            `A form with <${form.sensitive}> posts to another site, ${shown(host)}.`,
            'Remove the form. For sign-in use the player sign-in of this service; it needs no password on your page.',
          );
        });
      },
    }),
};
