import { globSync } from 'node:fs';
import { basename } from 'node:path';
import type { Plugin } from 'vite';

const prefix = 'page:';
const modules = 'src/pages/*/*.page.tsx';

/**
 * Returns an entry for every page, by its name: the document of a page names the script of that page, and no
 * script has a list of the others. `dashboard` starts pages/dashboard/dashboard.page.tsx.
 */
export function pageEntries(root: string): Readonly<Record<string, string>> {
  const names = globSync(modules, { cwd: root }).map((file) => basename(file, '.page.tsx'));
  return Object.fromEntries(names.sort().map((name) => [`page-${name}`, prefix + name]));
}

/** The module of an entry: it hydrates the document with its page. */
export function startPages(): Plugin {
  return {
    name: 'start-pages',
    resolveId: (id) => (id.startsWith(prefix) ? id : null),
    load(id) {
      if (!id.startsWith(prefix)) return null;
      const name = id.slice(prefix.length);
      return [
        `import Page from '/src/pages/${name}/${name}.page.tsx';`,
        "import { startPage } from '/src/start-page.tsx';",
        'startPage(Page);',
      ].join('\n');
    },
  };
}
