/**
 * The oldest version of Node that has everything the server uses. npm installs a newer one, which `npm start`
 * uses.
 */
const oldestMajor = 26;

/**
 * Returns the error message if this version of Node cannot run the server; else null.
 *
 * @param {string} version as in `process.version`
 */
export function refusalOf(version) {
  const major = Number(/^v(\d+)\./u.exec(version)?.[1]);
  return major >= oldestMajor
    ? null
    : `The server needs Node ${oldestMajor} or newer, and this is ${version}. In a checkout, npm ci brings one, and npm start starts the server with it.`;
}
