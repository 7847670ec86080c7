import { gatewayNames, gateways, portalNames, portals } from '@spaceport/contract/portals';
import { documentedGateways, documentedSdks } from './documented.ts';
import type { Documented } from './documented-sdk.ts';

/** What stands around the tables in docs/shims.md. */
export const shimsMarks = { begin: '<!-- shims: npm run docs:shims -->', end: '<!-- /shims -->' } as const;

/** A table for each portal: the names that it documents, and what they answer here. */
export function shimsAsMarkdown(): string {
  const ofSdks = portalNames.map((portal) => {
    const { global, source, documented } = documentedSdks[portal];
    const where = `\`https://${portals[portal].sdk}\`, \`${global}\` ([its documents](${source})).`;
    return table(portals[portal].name, where, 'name', documented);
  });
  const ofGateways = gatewayNames.map((gateway) => {
    const { at, source, documented } = documentedGateways[gateway];
    const where = `\`${at}\` ([its documents](${source})).`;
    return table(gateways[gateway].name, where, 'call', documented);
  });
  return [...ofSdks, ...ofGateways].join('\n\n');
}

function table(name: string, where: string, what: string, documented: readonly Documented[]): string {
  const rows = documented.map(({ names, answer }) => `| ${shortly(names)} | ${answer} |`);
  return [`## ${name}`, '', where, '', `| ${what} | answers |`, '| --- | --- |', ...rows].join('\n');
}

/** `ad.a`, `.b`: the module is said once. */
function shortly(names: readonly string[]): string {
  let last = '';
  return names
    .map((name) => {
      const dot = name.indexOf('.');
      const module = name.slice(0, dot + 1);
      const said = module !== '' && module === last ? name.slice(dot) : name;
      last = module;
      return `\`${said}\``;
    })
    .join(', ');
}
