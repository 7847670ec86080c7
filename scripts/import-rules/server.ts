import { type Module, partOf, type Target } from './module.ts';
import type { Violation } from './violation.ts';

/** Files outside its folder that platform code may import. All layers may read settings. */
const sharedWithPlatform = new Set(['packages/server/src/config.ts']);

/** Checks the layers inside the server. Tests may import from any of them. */
export function checkServer(module: Module): Violation[] {
  if (module.part === null || module.isTest) return [];
  return module.imports.flatMap((target) => {
    const offence = target.kind === 'file' ? offenceOf(module, target) : null;
    return offence === null ? [] : [{ path: module.path, line: target.line, ...offence }];
  });
}

function offenceOf({ path, part }: Module, target: Target): Pick<Violation, 'what' | 'why'> | null {
  const there = partOf(target.to);
  if (part === null || there === null) return null;
  if (part.kind === 'platform' && there.kind !== 'platform' && !sharedWithPlatform.has(target.to))
    return { what: `platform imports ${target.to}`, why: 'the platform knows no feature' };
  if (there.kind === 'feature' && part.kind === 'feature' && part.name !== there.name && isQueries(target.to))
    return {
      what: `${part.name} imports the queries of ${there.name}`,
      why: 'rules about its tables live in its main module; ask that',
    };
  if (target.to.endsWith('.routes.ts') && path !== 'packages/server/src/features.ts')
    return { what: `imports the routes ${target.to}`, why: 'only features.ts mounts routes' };
  const adapter = /\bopen[A-Z]\w*/u.exec(target.clause)?.[0];
  if (adapter !== undefined && there.kind === 'platform' && part.kind === 'feature')
    return {
      what: `imports ${adapter}`,
      why: 'only the composition root builds adapters; take what it built as a parameter',
    };
  return null;
}

function isQueries(path: string): boolean {
  return path.endsWith('.queries.ts');
}
