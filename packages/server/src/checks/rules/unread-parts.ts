import type { Finding } from '@spaceport/contract/versions';
import type { Rule } from '../rule.ts';
import { ruleFindings } from './finding.ts';
import { eachFile } from './reading/each-file.ts';

const finding = ruleFindings('unread-parts');

/** Finds parts that the other rules could not read, so that nobody can say that they are harmless. */
export const unreadParts: Rule = {
  name: 'unread-parts',
  check: (version) =>
    eachFile(version, {
      async visit(file) {
        const findings: Finding[] = [];
        if (file.unpacked === 'cut') {
          findings.push(
            finding(
              'unjudged',
              file.path,
              'Unpacked it is larger than the check reads (512 MiB a file, 2 GiB a version).',
              'Split the data into smaller files, or publish it unpacked.',
            ),
          );
        }
        if (file.archivedCut) {
          findings.push(
            finding(
              'unjudged',
              file.path,
              'It has more entries than the check reads (half a million in a version).',
              'Make fewer and larger entries, or publish them as files.',
            ),
          );
        }
        if (file.unpacked === 'broken') {
          findings.push(
            finding(
              'warn',
              file.path,
              'Its name says that it is compressed, but it cannot be unpacked: browsers will not load it.',
              'Compress it again, or rename it to its real type.',
            ),
          );
        }
        if (file.textCut && file.servedAs !== 'script') {
          findings.push(
            finding(
              'unjudged',
              file.path,
              'The page is larger than the check reads (8 MiB without embedded data).',
              'Move scripts and data out of the page into files of their own.',
            ),
          );
        }
        if (await file.unreadable()) {
          findings.push(
            finding(
              'unjudged',
              file.path,
              'It is nested too deep, or too large, to be read in time.',
              'Split it into smaller files, and close the elements that it opens.',
            ),
          );
        }
        return findings;
      },
    }),
};
