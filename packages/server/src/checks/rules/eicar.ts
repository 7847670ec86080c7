import type { Rule } from '../rule.ts';
import { ruleFindings } from './finding.ts';
import { eachFile } from './reading/each-file.ts';

// The string is in two parts, so that a scanner does not take this source for the test file.
const testString = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
const maxTestFileBytes = 128;
const finding = ruleFindings('eicar');

/**
 * Finds the antivirus test file as EICAR defines it: the string at the start, then only white space
 * (and Ctrl-Z), at most 128 bytes.
 * https://www.eicar.org/download-anti-malware-testfile/
 */
export const eicar: Rule = {
  name: 'eicar',
  check: (version) =>
    eachFile(version, {
      visit(file) {
        const isTestFile = file.layers.some(
          (layer) => layer.size <= maxTestFileBytes && isTest(layer.firstBytes()),
        );
        return isTestFile
          ? [finding('refuse', file.path, 'It is the EICAR antivirus test file.', 'Remove it.')]
          : [];
      },
    }),
};

function isTest(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  return text.startsWith(testString) && /^[ \t\r\n\x1a]*$/u.test(text.slice(testString.length));
}
