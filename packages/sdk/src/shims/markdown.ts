import { gatewayNames, gateways, portalNames, portals } from '@spaceport/contract/portals';
import { documentedGateways, documentedSdks } from './documented.ts';
import type { Documented } from './documented-sdk.ts';

/** Pages of docs/ with their tables, which list a portal's documented names and our answers. */
export const tablePages = [
  { page: 'shims.md', mark: 'shims', tables: tablesOfSdks },
  { page: 'portal-calls.md', mark: 'calls', tables: tablesOfGateways },
] as const;

/** Returns a page with its tables between their marks. */
export function withTables(text: string, { page, mark, tables }: (typeof tablePages)[number]): string {
  const [begin, end] = [`<!-- ${mark}: npm run docs:shims -->`, `<!-- /${mark} -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/${page} lacks ${begin} or ${end}`);
  return `${before}${begin}\n${tables()}\n${end}${after}`;
}

function tablesOfSdks(): string {
  const all = portalNames.map((portal) => {
    const { global, source, documented } = documentedSdks[portal];
    const where = `\`https://${portals[portal].sdk}\`, \`${global}\` ([its documents](${source})).`;
    return table(portals[portal].name, where, 'name', documented);
  });
  return all.join('\n\n');
}

function tablesOfGateways(): string {
  const all = gatewayNames.map((gateway) => {
    const { at, source, documented } = documentedGateways[gateway];
    const where = `\`${at}\` ([its documents](${source})).`;
    return table(gateways[gateway].name, where, 'call', documented);
  });
  return all.join('\n\n');
}

function table(name: string, where: string, what: string, documented: readonly Documented[]): string {
  const rows = documented.map(({ names, answer }) => `| ${shortly(names)} | ${answer} |`);
  return [`## ${name}`, '', where, '', `| ${what} | answers |`, '| --- | --- |', ...rows].join('\n');
}

/** Returns names without the repeated module: `ad.a`, `.b`. */
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
