import { portalNames, portals } from '@spaceport/contract/portals';
import { documentedSdks } from './documented.ts';

/** What stands around the tables in docs/shims.md. */
export const shimsMarks = { begin: '<!-- shims: npm run docs:shims -->', end: '<!-- /shims -->' } as const;

/** A table for each portal: the names that it documents, and what they answer here. */
export function shimsAsMarkdown(): string {
  return portalNames
    .map((portal) => {
      const { global, source, documented } = documentedSdks[portal];
      const rows = documented.map(({ names, answer }) => `| ${shortly(names)} | ${answer} |`);
      return [
        `## ${portals[portal].name}`,
        '',
        `\`https://${portals[portal].sdk}\`, \`${global}\` ([its documents](${source})).`,
        '',
        '| name | answers |',
        '| --- | --- |',
        ...rows,
      ].join('\n');
    })
    .join('\n\n');
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
