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
              'Unpacked it is larger than is looked through (512 MiB a file, 2 GiB a version).',
              'Split the data into smaller files, or publish it unpacked.',
            ),
          );
        }
        if (file.unpacked === 'broken') {
          findings.push(
            finding(
              'warn',
              file.path,
              'It is named as compressed, but does not unpack: browsers will not load it.',
              'Compress it again, or give it the name of what it is.',
            ),
          );
        }
        if (file.textCut && file.servedAs !== 'script') {
          findings.push(
            finding(
              'unjudged',
              file.path,
              'The page is larger than is looked through (8 MiB without embedded data).',
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
