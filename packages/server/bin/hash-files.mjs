import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What is younger may change again without looking otherwise: clocks of file systems are coarse. As git does. */
const settledMs = 2_000;
const nameLength = 16;

/**
 * A name for the state of sources: two checkouts with equal ones give the same, any change gives another. Reads contents,
 * not dates, which a fresh clone or a copied image does not keep; and reads them at once, which takes a quarter of the
 * time that a thousand promises do. Tests are left out.
 *
 * The name is kept in `stamp` with how the files looked, and is taken from there as long as they look the same: a third of
 * the time, and no garbage.
 *
 * @param {string} root
 * @param {readonly string[]} inputs files and folders in it
 * @param {string} stamp a file that need not be there; where it cannot be written, contents are read each time
 * @param {number} youngMs for tests: files that changed so recently are not stamped
 */
export function hashFiles(root, inputs, stamp, youngMs = settledMs) {
  const files = inputs.flatMap((input) => filesIn(join(root, input))).sort();
  const { look, newestMs } = lookOf(files);
  const [keptLook, kept] = readStamp(stamp);
  if (kept?.length === nameLength && keptLook === look) return kept;
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = readFileSync(file);
    hash.update(`${relative(root, file)}\0${bytes.length}\0`).update(bytes);
  }
  const name = hash.digest('hex').slice(0, nameLength);
  if (newestMs < Date.now() - youngMs) writeStamp(stamp, `${look} ${name}`);
  return name;
}

/**
 * How files look without being read: where they are, how long they are, and when they changed, which no tool sets back.
 *
 * @param {readonly string[]} files
 */
function lookOf(files) {
  const look = createHash('sha256');
  let newestMs = 0;
  for (const file of files) {
    const { size, ino, mtimeMs, ctimeMs } = statSync(file);
    look.update(`${file}\0${size}\0${ino}\0${mtimeMs}\0${ctimeMs}\0`);
    newestMs = Math.max(newestMs, mtimeMs, ctimeMs);
  }
  return { look: look.digest('hex'), newestMs };
}

/** @param {string} stamp */
function readStamp(stamp) {
  try {
    return readFileSync(stamp, 'utf8').split(' ');
  } catch {
    // The first time.
    return [];
  }
}

/**
 * @param {string} stamp
 * @param {string} text
 */
function writeStamp(stamp, text) {
  try {
    writeFileSync(stamp, text);
  } catch {
    // A folder that is only read, or that nobody has built in.
  }
}

/** @param {string} path */
function filesIn(path) {
  // What an image leaves out is the same in each of its starts.
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/u.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
