import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../platform/errors.ts';
import { refuseEarly } from '../platform/http/answer-early.ts';
import type { ContentTarget } from '../serving/hosts.ts';
import { readOtherHost } from '../serving/hosts.ts';
import type { OwnHosts } from './find-host.ts';

export type HostAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers a request as the host of a space. */
export type SiteAnswer = (request: IncomingMessage, response: ServerResponse, target: ContentTarget) => void;

/**
 * Answers requests to hosts that are not the service's: as the live space that the host belongs to, or with
 * `nobody`.
 */
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
      // The owner of the host is unknown while the database is down.
      () => refuseEarly(response, new ServiceError('failed', 'The database did not answer; try again.')),
    );
  };
}
