import type { Violation } from './violation.ts';

const heading = /^### .+\((?:at most (\d+) files)\)$/u;
const named = /`([\w./-]+\.tsx?)`/gu;

/**
 * Checks the walks of docs/architecture.md: each named file exists, and a walk has no more files than its
 * heading says.
 *
 * @param files paths of the checkout
 */
export function checkWalks(path: string, text: string, files: ReadonlySet<string>): Violation[] {
  const violations: Violation[] = [];
  let walk: { readonly line: number; readonly most: number; readonly files: Set<string> } | null = null;
  const end = () => {
    if (walk !== null && walk.files.size > walk.most)
      violations.push({
        path,
        line: walk.line,
        what: `${walk.files.size} files`,
        why: 'the walk is longer than it says',
      });
    walk = null;
  };
  for (const [index, line] of text.split('\n').entries()) {
    if (line.startsWith('#')) end();
    const most = heading.exec(line)?.[1];
    if (most !== undefined) walk = { line: index + 1, most: Number(most), files: new Set() };
    // The prose under a walk is skipped, because it names files by their last part only.
    if (walk === null || /^\d\. /u.test(line) || line.startsWith('   ')) continue;
    for (const [, name = ''] of line.matchAll(named)) {
      walk.files.add(name);
      const isThere = files.has(`packages/${name}`) || files.has(`packages/server/src/${name}`);
      if (!isThere)
        violations.push({ path, line: index + 1, what: name, why: 'a walk names a file that is not there' });
    }
  }
  end();
  return violations;
}
