import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/**
 * Compiles a package, and the parts of the contract that it imports, into `dist/{package}/src` and
 * `dist/contract/src`, so that the package needs no package of our scope from a registry.
 * @param packages the folder with all packages
 * @throws an error with the compiler's messages
 */
export function emitModules(packages: string, name: string, dist: string): void {
  const config = join(packages, `tsconfig.${name}.pack.json`);
  const sources = globSync(`${name}/src/**/*.ts`, { cwd: packages }).filter(
    (path) => !path.endsWith('.test.ts'),
  );
  writeFileSync(
    config,
    JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        module: 'nodenext',
        lib: ['esnext', 'dom', 'dom.iterable', 'dom.asynciterable'],
        types: ['node'],
        strict: true,
        skipLibCheck: true,
        // For so little code, several threads take twice the processor time.
        singleThreaded: true,
        declaration: true,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
        rootDir: packages,
        outDir: dist,
        paths: { '@spaceport/contract/*': [join(packages, 'contract/src/*.ts')] },
      },
      files: sources,
    }),
  );
  try {
    execFileSync(process.execPath, [compiler, '-p', config], { stdio: ['ignore', 'inherit', 'inherit'] });
  } finally {
    rmSync(config, { force: true });
  }
  for (const path of globSync('**/*.{js,d.ts}', { cwd: dist })) {
    const file = join(dist, path);
    writeFileSync(
      file,
      pointedAtFiles(readFileSync(file, 'utf8'), join(dist, path, '..'), join(dist, 'contract/src')),
    );
  }
}

/** Rewrites imports to the names of the files in the package. */
function pointedAtFiles(text: string, from: string, contract: string): string {
  const place = relative(from, contract);
  const prefix = place === '' ? '.' : place.startsWith('.') ? place : `./${place}`;
  return text
    .replaceAll(
      /(['"])@spaceport\/contract\/([\w-]+)\1/gu,
      (_, quote: string, name: string) => `${quote}${prefix}/${name}.js${quote}`,
    )
    .replaceAll(/((?:from|import\()\s*)(['"])(\.{1,2}\/[^'"]+)\.ts\2/gu, '$1$2$3.js$2');
}
