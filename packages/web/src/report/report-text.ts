import { portals } from '@spaceport/contract/portals';
import type { CheckReport } from '@spaceport/contract/versions';

/** Returns a report as text for a coding agent. */
export function reportAsText({ findings, page }: CheckReport, number: number): string {
  const lines = [`Safety check of version ${number}:`];
  for (const { severity, path, message, fix } of findings)
    lines.push(`- [${severity}] ${path === undefined ? '' : `${path}: `}${message} Fix: ${fix}`);
  if (page) {
    const { loaded, blank, loadMs, consoleErrors, failedRequests, portals: found = [] } = page;
    lines.push(
      `Page: ${loaded ? 'loaded' : 'did not load'} in ${loadMs} ms${blank ? ', and its first frame is blank' : ''}.`,
    );
    for (const portal of found)
      lines.push(`- it loads the SDK of ${portals[portal].name}, which the service answers (docs/shims.md)`);
    for (const { url, reason, hint } of failedRequests)
      lines.push(`- failed request: ${url} (${reason})${hint === undefined ? '' : ` ${hint}`}`);
    for (const error of consoleErrors) lines.push(`- console error: ${error}`);
  }
  return lines.join('\n');
}
