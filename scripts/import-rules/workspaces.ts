import type { Module, Target } from './module.ts';
import type { Violation } from './violation.ts';

interface WorkspaceRule {
  /** The workspaces that it may import. */
  workspaces: readonly string[];
  /** The packages that it may import; null if only its package.json decides. */
  packages: readonly string[] | null;
  why: string;
}

const rules: Record<string, WorkspaceRule> = {
  contract: { workspaces: [], packages: ['zod'], why: 'what is promised depends on nothing but zod' },
  client: {
    workspaces: ['contract'],
    packages: [],
    why: 'whoever uses the client gets the contract and nothing else',
  },
  sdk: {
    workspaces: ['contract'],
    packages: [],
    why: 'the module is one small script; of the contract it takes what frame and page say to each other',
  },
  cli: {
    workspaces: ['client', 'contract'],
    packages: null,
    why: 'the command line is a user of the client',
  },
  web: {
    workspaces: ['client', 'contract'],
    packages: null,
    why: 'the pages can do nothing that the API cannot',
  },
  server: {
    workspaces: ['contract'],
    packages: null,
    why: 'the server shares only the contract with its users',
  },
};

/** contract ← client ← cli, web; contract ← sdk; contract ← server. Tests may use any workspace. */
export function checkWorkspaces(module: Module): Violation[] {
  if (module.workspace === null || module.isTest || !isProduct(module)) return [];
  const rule = rules[module.workspace];
  if (!rule) return [{ ...at(module, 1), what: `no rule for packages/${module.workspace}`, why: 'add one' }];
  return module.imports.flatMap((target) => {
    const what = offence(module, rule, target);
    return what === null ? [] : [{ ...at(module, target.line), what, why: rule.why }];
  });
}

/**
 * Returns whether a module is part of the product. A package's scripts are not: they run only in the
 * checkout.
 */
function isProduct(module: Module): boolean {
  return module.path.startsWith(`packages/${module.workspace}/src/`);
}

function offence(module: Module, rule: WorkspaceRule, target: Target): string | null {
  switch (target.kind) {
    case 'file':
      return target.to.startsWith(`packages/${module.workspace}/`)
        ? null
        : `reaches out of its package to ${target.to}`;
    case 'workspace':
      return target.to === module.workspace || rule.workspaces.includes(target.to)
        ? null
        : `imports the workspace ${target.to}`;
    case 'npm':
      return rule.packages === null || rule.packages.includes(target.to) ? null : `imports ${target.to}`;
    case 'node':
      return forBrowsers(module) ? `imports ${target.to}, which no browser has` : null;
  }
}

/** Returns whether a module must run in browsers. The client's Node-only code has a separate folder. */
function forBrowsers(module: Module): boolean {
  const { workspace, path } = module;
  if (workspace === 'client') return !path.startsWith('packages/client/src/node/');
  return workspace === 'contract' || workspace === 'web' || workspace === 'sdk';
}

function at(module: Module, line: number): Pick<Violation, 'path' | 'line'> {
  return { path: module.path, line };
}
