import { type Portal, portalNames, portalOf, portals } from '@spaceport/contract/portals';
import type { Finding } from '@spaceport/contract/versions';
import { shimAt } from '../../serving/module/module-texts.ts';
import { ruleFindings } from '../rules/finding.ts';

/** Portals whose SDK a page got from us, by the scripts that it asked for. */
export function answeredPortals(scripts: readonly string[], origin: string): Portal[] {
  const { host } = new URL(origin);
  const asked = new Set(
    scripts.map((address) => {
      const url = URL.parse(address);
      return url?.host === host ? shimAt(url.pathname) : null;
    }),
  );
  return portalNames.filter((portal) => asked.has(portal));
}

/** Of SDKs that a page loads from their portals: outside them these do not work. */
export function unansweredFindings(scripts: readonly string[], entry: string): Finding[] {
  const asked = new Set(scripts.map(portalOf));
  return portalNames
    .filter((portal) => asked.has(portal))
    .map((portal) =>
      ruleFindings('portal-sdk')(
        'warn',
        entry,
        `The page loads the SDK of ${portals[portal].name} from there, which works on that portal alone.`,
        'Leave "shims" and "sdk" on, and name the SDK in a script element near the top of the page, or give its address to one by a script: the service then answers in its place. Or take it out.',
      ),
    );
}
