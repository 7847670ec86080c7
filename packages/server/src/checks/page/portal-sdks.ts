import {
  gatewayNames,
  gatewayOf,
  gateways,
  type Portal,
  portalNames,
  portalOf,
  portals,
} from '@spaceport/contract/portals';
import type { Finding } from '@spaceport/contract/versions';
import { shimAt } from '../../serving/module/module-texts.ts';
import { ruleFindings } from '../rules/finding.ts';

/**
 * Returns the portals whose SDK the service gave to the page.
 * @param asked the addresses that the page requested
 */
export function answeredPortals(asked: readonly string[], origin: string): Portal[] {
  const { host } = new URL(origin);
  const ours = new Set(
    asked.map((address) => {
      const url = URL.parse(address);
      return url?.host === host ? shimAt(url.pathname) : null;
    }),
  );
  return portalNames.filter((portal) => ours.has(portal));
}

/**
 * Returns findings about SDKs that a page loads from their portals, and about servers of portals that it
 * calls. Outside the portals these do not work.
 */
export function unansweredFindings(asked: readonly string[], entry: string): Finding[] {
  const warn = (message: string, fix: string) => ruleFindings('portal-sdk')('warn', entry, message, fix);
  const loaded = new Set(asked.map(portalOf));
  const called = new Set(asked.map(gatewayOf));
  return [
    ...portalNames
      .filter((portal) => loaded.has(portal))
      .map((portal) =>
        warn(
          `The page loads the SDK of ${portals[portal].name} from there, which works only on that portal.`,
          'Leave "shims" and "sdk" on, and name the SDK in a script element near the top of the page, or set its address on one by a script: the service then answers instead. Or remove it.',
        ),
      ),
    ...gatewayNames
      .filter((gateway) => called.has(gateway))
      .map((gateway) =>
        warn(
          `The page calls ${gateways[gateway].name}, which knows players only on that portal.`,
          'Name the game in "portal_keys" of service.json (docs/portal-calls.md), and leave "shims" and "sdk" on: the service then answers. Or remove the calls.',
        ),
      ),
  ];
}
