/**
 * The rules for file paths of a version. The server refuses other paths, and the CLI warns of
 * them before it hashes anything.
 */
export const maxPathBytes = 240;

const ascii = /^[\u0000-\u007f]*$/u;
const forbiddenCharacters = /[<>:"|?*\\]/u;
// C0, DEL, C1, and the line and paragraph separators, which terminals and logs interpret.
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;
// Characters that are invisible or change the writing direction: with them a name can look like another.
const invisibleCharacters = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
/** Folders that are reserved: `/~7/` on a space's origin is its version 7. */
const versionFolder = /^~[0-9]/u;
const windowsDeviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/u;

/**
 * Returns the form of a path for comparisons. Two paths with the same folded form are one file on some file
 * system, or look the same to a reader. Compatibility forms, letter case and invisible characters are folded
 * away.
 */
export function foldPath(path: string): string {
  // Almost all paths are ASCII, of which only the letter case folds.
  if (ascii.test(path)) return path.toLowerCase();
  const visible = path.normalize('NFKC').replace(invisibleCharacters, '');
  return visible.toUpperCase().toLowerCase().normalize('NFKC');
}

/** Returns why a path cannot be published, phrased as the end of "«path» …", or null if it can. */
export function pathProblem(path: string): string | null {
  if (path === '') return 'is empty';
  if (!path.isWellFormed()) return 'is not valid Unicode';
  if (isTooLong(path)) return `is longer than ${maxPathBytes} bytes`;
  if (path !== path.normalize('NFC')) return 'is not in Unicode normal form C';
  if (controlCharacters.test(path)) return 'has a control character';
  if (path.includes('\\')) return 'has a backslash; separate folders with /';
  if (forbiddenCharacters.test(path)) return 'has one of the characters < > : " | ? *';
  if (path.startsWith('/')) return 'starts with a slash';
  // The whole path is folded at once: a manifest may have a hundred thousand segments.
  const folded = foldPath(path);
  if (versionFolder.test(folded)) return 'begins with ~ and a digit, as the addresses of versions do';
  const segments = path.split('/');
  const foldedSegments = folded.split('/');
  // A compatibility form may fold to a separator (／).
  if (foldedSegments.length !== segments.length) return readsAsAnother;
  for (let at = 0; at < segments.length; at++) {
    const problem = segmentProblem(segments[at] ?? '', foldedSegments[at] ?? '');
    if (problem) return problem;
  }
  return null;
}

/** Encodes only a path that may be too long: each code unit has one to three bytes. */
function isTooLong(path: string): boolean {
  if (path.length * 3 <= maxPathBytes) return false;
  return path.length > maxPathBytes || new TextEncoder().encode(path).length > maxPathBytes;
}

const readsAsAnother = 'has a name that reads as another path';

function segmentProblem(segment: string, folded: string): string | null {
  if (segment === '') return 'has an empty folder or file name';
  if (segment === '.' || segment === '..') return 'has a . or .. segment';
  if (/[. ]$/u.test(segment)) return 'has a name that ends in a dot or a space';
  if (folded === '' || folded === '.' || folded === '..') return 'has a name that shows as nothing';
  // A compatibility form may fold to a forbidden character (：, ＼): the folded form is checked.
  if (forbiddenCharacters.test(folded)) return readsAsAnother;
  if (folded.startsWith('.')) return 'is a dotfile or in a dot-folder';
  if (folded === 'node_modules') return 'is in node_modules';
  if (folded === 'service.json') return 'is a service.json; send its declarations as fields of the request';
  if (windowsDeviceName.test(folded)) return 'is a Windows device name';
  return null;
}

export interface PathConflict {
  path: string;
  other: string;
  reason: string;
}

/**
 * Returns pairs of paths that cannot be in one version: they are the same after folding, or one is a file and
 * the other a folder of the same name. Each path is in at most one conflict.
 */
export function pathConflicts(paths: readonly string[]): PathConflict[] {
  const conflicts: PathConflict[] = [];
  const files = new Map<string, string>();
  const all = paths.map((path) => ({ path, folded: foldPath(path) }));
  for (const { path, folded } of all) {
    const other = files.get(folded);
    if (other === undefined) files.set(folded, path);
    else
      conflicts.push({
        path,
        other,
        reason: path === other ? 'is there twice' : `is the same name as ${other}`,
      });
  }
  for (const { path, folded } of all) {
    for (let end = folded.indexOf('/'); end >= 0; end = folded.indexOf('/', end + 1)) {
      const file = files.get(folded.slice(0, end));
      if (file === undefined) continue;
      conflicts.push({ path, other: file, reason: `is inside ${file}, which is a file` });
      break;
    }
  }
  return conflicts;
}
