import { chooseServer, readConfig, warnOfOwnToken, writeConfig } from '../config.ts';
import type { Context } from '../context.ts';

/**
 * Deletes the stored token of a service. The token stays valid until it expires or is revoked in the web
 * settings.
 */
export function logout(context: Context): void {
  const config = readConfig(context.env);
  const server = chooseServer(context.serverFlag, context.env, config);
  const { [server]: forgotten, ...servers } = config.servers;
  const next = config.default === server ? Object.keys(servers)[0] : config.default;
  if (forgotten !== undefined) {
    writeConfig(context.env, { ...(next !== undefined && { default: next }), servers });
  }
  warnOfOwnToken(context.env, context.output);
  context.output.result(
    { server, signedOut: forgotten !== undefined },
    forgotten === undefined ? `You were not signed in to ${server}.` : `Signed out of ${server}.`,
  );
}
