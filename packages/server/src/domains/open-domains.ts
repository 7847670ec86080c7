import type { Platform } from '../platform/context.ts';
import type { JobKind } from '../platform/jobs/queue.ts';
import { answerOwnHosts, type HostAnswer, type SiteAnswer } from './answer-own-hosts.ts';
import { createDomainJob } from './domain-job.ts';
import { type OwnHosts, openOwnHosts } from './find-host.ts';
import { type DomainResolver, systemResolver } from './resolver.ts';

export interface Domains {
  readonly job: JobKind;
  readonly hosts: OwnHosts;
  /** Answers hosts that are none of the service's. */
  answer(site: SiteAnswer, nobody: HostAnswer): HostAnswer;
}

/** The host names of spaces' own; `dns` is the machine's where none is given. Adds how to close it. */
export function openDomains(
  platform: Platform,
  dns: DomainResolver | undefined,
  closers: (() => unknown)[],
): Domains {
  const hosts = openOwnHosts(platform);
  closers.push(() => hosts.close());
  return {
    job: createDomainJob(platform, dns ?? systemResolver()),
    hosts,
    answer: (site, nobody) => answerOwnHosts(hosts, platform.config.PLAY_HOST, site, nobody),
  };
}
