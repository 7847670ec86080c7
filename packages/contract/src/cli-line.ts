/**
 * The path at which every service serves its command line: a package for npx that contains the service's
 * address.
 */
export const cliPath = '/cli.tgz';

/**
 * Returns a shell command that runs the command line of a service, on any machine with Node. Every text that
 * names the command uses this form: npx would look up the bare name in the npm registry, where it is not
 * ours.
 * @param app origin of the service
 */
export function cliLine(app: string, words: string): string {
  return `npx --yes ${app}${cliPath} ${words}`;
}
