/** Where every service serves its own command line: a package for npx, with the address of the service inside. */
export const cliPath = '/cli.tgz';

/**
 * A line for a terminal that runs the command line of a service, on any machine with Node. Everything that names the
 * command says it so: the bare name would be looked up in the npm registry, where it is not ours.
 * @param app origin of the service
 */
export function cliLine(app: string, words: string): string {
  return `npx --yes ${app}${cliPath} ${words}`;
}
