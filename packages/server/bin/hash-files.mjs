import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Younger files are not stamped: they may change again and keep the same times, because clocks of file
 * systems are coarse. Git does the same.
 */
const settledMs = 2_000;
const nameLength = 16;

/**
 * Returns a name for the state of sources: equal sources have the same name in any checkout, and any change
 * gives another. It depends on contents and not on dates, which a fresh clone or a copied image does not
 * keep. Files are read synchronously, which takes a quarter of the time of a thousand promises. Tests are
 * left out.
 *
 * The name is kept in `stamp` together with the files' lengths and times, and is taken from there as long as
 * those are the same. That takes a third of the time, and makes no garbage.
 *
 * @param {string} root
 * @param {readonly string[]} inputs files and folders in it
 * @param {string} stamp a file that may be missing; if it cannot be written, contents are read each time
 * @param {number} youngMs for tests: files that changed more recently than this are not stamped
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
 * Describes files without reading them: their places, lengths and change times (ctime cannot be set back).
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
    // There is no stamp yet.
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
    // The folder is read-only, or has no builds.
  }
}

/** @param {string} path */
function filesIn(path) {
  // An input that an image leaves out is missing in all of its starts.
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/u.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
