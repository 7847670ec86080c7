import { execFileSync } from 'node:child_process';

/** The parts of a CycloneDX document that are used here. */
export interface Sbom {
  serialNumber?: string;
  metadata: { timestamp?: string; component: { 'bom-ref': string; name?: string } };
  components: { 'bom-ref': string; name: string; version?: string }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/** Returns npm's list of the packages installed for production. */
export function listInstalled(root: string): Sbom {
  const said = execFileSync('npm', ['sbom', '--omit=dev', '--sbom-format=cyclonedx'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  // npm documents this output as CycloneDX.
  return JSON.parse(said) as Sbom;
}

/**
 * Returns the list without these packages and the packages that only they need. The date and the serial
 * number are removed, so that the same release has the same list.
 */
export function without(sbom: Sbom, names: readonly string[]): Sbom {
  const { serialNumber: _number, metadata, components, dependencies, ...rest } = sbom;
  const { timestamp: _timestamp, ...about } = metadata;
  const isLeftOut = new Set(
    components.filter(({ name }) => names.includes(name)).map((each) => each['bom-ref']),
  );
  const needs = new Map(dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  const kept = new Set<string>();
  const visit = (ref: string): void => {
    if (kept.has(ref) || isLeftOut.has(ref)) return;
    kept.add(ref);
    for (const each of needs.get(ref) ?? []) visit(each);
  };
  visit(about.component['bom-ref']);
  return {
    ...rest,
    // npm takes the name from the folder.
    metadata: { ...about, component: { ...about.component, name: 'spaceport' } },
    components: components.filter((each) => kept.has(each['bom-ref'])),
    dependencies: dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) })),
  };
}
