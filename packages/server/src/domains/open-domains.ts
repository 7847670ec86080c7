import type { Platform } from '../platform/context.ts';
import type { JobKind } from '../platform/jobs/queue.ts';
import { answerOwnHosts, type HostAnswer, type SiteAnswer } from './answer-own-hosts.ts';
import { createDomainJob } from './domain-job.ts';
import { type OwnHosts, openOwnHosts } from './find-host.ts';
import { type DomainResolver, systemResolver } from './resolver.ts';

export interface Domains {
  readonly job: JobKind;
  readonly hosts: OwnHosts;
  /** Returns the handler for hosts that are not the service's. */
  answer(site: SiteAnswer, nobody: HostAnswer): HostAnswer;
}

/**
 * Opens the custom host names of spaces. Without `dns` it uses the machine's resolver. Adds its closer to
 * `closers`.
 */
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
