import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContentTarget } from '../serving/hosts.ts';
import { readOtherHost } from '../serving/hosts.ts';
import type { OwnHosts } from './find-host.ts';

export type HostAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers as the host of a space. */
export type SiteAnswer = (request: IncomingMessage, response: ServerResponse, target: ContentTarget) => void;

/** Answers hosts that are none of the service's: as the live space whose own host it is, or as nobody's. */
export function answerOwnHosts(
  hosts: OwnHosts,
  playHost: string,
  site: SiteAnswer,
  nobody: HostAnswer,
): HostAnswer {
  return (request, response) => {
    const host = readOtherHost(request.headers.host, playHost);
    if (host === null) return nobody(request, response);
    hosts.find(host).then(
      (slug) =>
        slug === null ? nobody(request, response) : site(request, response, { is: 'play', label: slug }),
      () => {
        // Nobody knows whose it is while the database is away.
        response.writeHead(503, { 'retry-after': '2', 'cache-control': 'no-store', connection: 'close' });
        response.end();
      },
    );
  };
}
