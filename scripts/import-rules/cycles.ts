import { type Module, partOf } from './module.ts';
import type { Violation } from './violation.ts';

interface Edge {
  to: string;
  path: string;
  line: number;
}

/**
 * Finds features that import each other, directly or indirectly. Returns a violation for each import that
 * closes a cycle.
 */
export function checkCycles(modules: readonly Module[]): Violation[] {
  const edges = featureEdges(modules);
  const violations: Violation[] = [];
  const done = new Set<string>();

  const visit = (feature: string, trail: readonly string[]): void => {
    for (const edge of edges.get(feature) ?? []) {
      const start = trail.indexOf(edge.to);
      if (start >= 0) {
        const circle = [...trail.slice(start), edge.to].join(' → ');
        const why = 'features that need each other are one feature, or share a third';
        violations.push({ path: edge.path, line: edge.line, what: `closes the circle ${circle}`, why });
      } else if (!done.has(edge.to)) visit(edge.to, [...trail, edge.to]);
    }
    done.add(feature);
  };
  for (const feature of edges.keys()) if (!done.has(feature)) visit(feature, [feature]);
  return violations;
}

function featureEdges(modules: readonly Module[]): Map<string, Edge[]> {
  const edges = new Map<string, Edge[]>();
  for (const { part, path, imports, isTest } of modules) {
    if (part?.kind !== 'feature' || isTest) continue;
    const own = edges.get(part.name) ?? [];
    edges.set(part.name, own);
    for (const target of imports) {
      const there = target.kind === 'file' ? partOf(target.to) : null;
      if (there?.kind === 'feature' && there.name !== part.name)
        own.push({ to: there.name, path, line: target.line });
    }
  }
  return edges;
}
