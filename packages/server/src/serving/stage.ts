import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createContentHandler } from './content-handler.ts';
import { type FirstFile, FirstFiles } from './first-files.ts';
import { sendFramingPage } from './framing-page.ts';
import type { ServingContext, Site } from './site.ts';

export interface StageOptions
  extends Pick<ServingContext, 'store' | 'now' | 'hosts' | 'appOrigin' | 'modules'> {
  readonly site: Site;
  /** The label on the play host at which the site is shown. */
  readonly label: string;
  /** Its address there. */
  readonly address: string;
  /** The address of the page of ours around it, which is shown too. */
  readonly around: string;
  /** In PEM. With a certificate, the stage uses https. */
  readonly certificate: { readonly certificate: string; readonly key: string } | null;
  /** As in ContentHandlerOptions. */
  readonly unpackFolder: string;
  readonly log: (error: unknown) => void;
}

export interface Stage {
  /** The port on loopback. */
  readonly port: number;
  /** The errors behind responses with 500 and 503. They are our faults and not the site's. */
  faults(): readonly unknown[];
  /** Returns the files that the page requested first. */
  firstFiles(): FirstFile[];
  close(): Promise<void>;
}

/**
 * Serves one version, live or not, to our own browser on a port of its own. The browser's proxy maps the
 * origin at which players have the version to that port. Nobody outside can reach it, and a worker needs no
 * other server.
 */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { site, label, address, certificate } = options;
  const around = new URL(options.around);
  const faults: unknown[] = [];
  const first = new FirstFiles(site);
  const content = createContentHandler(
    {
      ...options,
      findSite: async (kind, asked) =>
        kind === 'play' && asked === label ? { is: 'site', site, temporary: false } : { is: 'unknown' },
    },
    {
      cacheBytes: 0,
      unpackFolder: options.unpackFolder,
      log: (error) => {
        faults.push(error);
        options.log(error);
      },
    },
  );
  const server =
    certificate === null
      ? createHttpServer()
      : (await import('node:https')).createServer({ cert: certificate.certificate, key: certificate.key });
  server.on('request', (request, response) => {
    if (request.headers.host === around.host) {
      if (request.url === around.pathname) sendFramingPage(response, { address, isolated: site.isolated });
      // As the proxy answers for it without this stage: no page reaches our own hosts.
      else response.writeHead(502).end();
      return;
    }
    first.note(request);
    content.handle(request, response, { is: 'play', label });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    faults: () => faults,
    firstFiles: () => first.list(),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      content.close();
    },
  };
}
