/** The oldest Node that has all that the server uses. npm brings a newer one, which `npm start` takes. */
const oldestMajor = 26;

/**
 * What to say where this Node cannot run the server; null where it can.
 *
 * @param {string} version as `process.version` has it
 */
export function refusalOf(version) {
  const major = Number(/^v(\d+)\./u.exec(version)?.[1]);
  return major >= oldestMajor
    ? null
    : `The server needs Node ${oldestMajor} or newer, and this is ${version}. In a checkout, npm ci brings one, and npm start starts the server with it.`;
}
