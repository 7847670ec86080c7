import { cliPath } from '@spaceport/contract/cli-line';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { BuiltPages } from '../built/built-pages.ts';
import { revalidated } from '../revalidated.ts';
import { type PackedCli, packCli } from './pack-cli.ts';

/**
 * `GET /cli.tgz`: the command line, for `npx --yes {app}/cli.tgz`. `GET /cli.json`: its version and build.
 * Clients revalidate each time, so that nobody keeps an old one; the ETag makes that cheap.
 */
export function mountCli(app: FastifyInstance, built: BuiltPages, appOrigin: string): void {
  let packed: Promise<PackedCli> | undefined;
  const cli = async (): Promise<PackedCli | null> => {
    if (packed !== undefined) return packed;
    const files = await built.cli();
    if (files === null) return null;
    packed ??= packCli(files, appOrigin);
    return packed;
  };
  const url = `${appOrigin}${cliPath}`;

  app.get(cliPath, { exposeHeadRoute: true }, async (_request, reply) => {
    const made = await cli();
    if (made === null) return notBuilt(reply);
    return reply.headers(revalidated(made.tgz)).type('application/gzip').send(made.tgz);
  });
  app.get('/cli.json', { exposeHeadRoute: true }, async (_request, reply) => {
    const made = await cli();
    if (made === null) return notBuilt(reply);
    const body = JSON.stringify({ version: made.version, build: made.build, url });
    return reply.headers(revalidated(body)).type('application/json; charset=utf-8').send(body);
  });
}

function notBuilt(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .header('retry-after', '30')
    .header('cache-control', 'no-store')
    .send({ error: 'failed', message: 'The command line is not built yet; try again.' });
}
