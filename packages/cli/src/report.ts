import { portals } from '@spaceport/contract/portals';
import type { CheckReport } from '@spaceport/contract/versions';
import { printable } from './format.ts';

/** Formats a safety check's report for a person: every finding with its fix, then the page's errors. */
export function formatReport(report: CheckReport | undefined): string[] {
  return report === undefined ? [] : linesOf(report).map(printable);
}

function linesOf(report: CheckReport): string[] {
  const lines: string[] = [];
  for (const { severity, rule, path, message, fix } of report.findings) {
    lines.push(
      `  ${severity === 'warn' ? 'note' : severity}: ${path === undefined ? '' : `${path}: `}${message} [${rule}]`,
    );
    if (fix !== '') lines.push(`    Fix: ${fix}`);
  }
  const page = report.page;
  if (page === undefined) return lines;
  if (!page.loaded) lines.push('  The page did not load.');
  else if (page.blank) lines.push('  The page stayed blank.');
  for (const portal of page.portals ?? []) {
    // A newer service may know more portals.
    const name = Object.hasOwn(portals, portal) ? portals[portal].name : portal;
    lines.push(`  The SDK of ${name} that it loads is answered by the service.`);
  }
  for (const error of page.consoleErrors) lines.push(`  console: ${error}`);
  for (const { url, reason, hint } of page.failedRequests) {
    lines.push(`  request: ${url}: ${reason}${hint === undefined ? '' : ` (${hint})`}`);
  }
  return lines;
}
