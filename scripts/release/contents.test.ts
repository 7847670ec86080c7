import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { contentsOf } from './contents.ts';
import { installedFor } from './installed.ts';
import { type Sbom, without } from './sbom.ts';

const root = mkdtempSync(join(tmpdir(), 'spaceport-installed-'));
after(() => rmSync(root, { recursive: true }));

function install(place: string, needs: object = {}): void {
  const file = join(root, place, 'package.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(needs));
}

describe('the installed packages in a release', () => {
  install('node_modules/one', { dependencies: { two: '1', three: '1' } });
  install('node_modules/one/node_modules/two', { dependencies: { one: '1' } });
  install('node_modules/two');
  install('node_modules/three', {
    optionalDependencies: { elsewhere: '1' },
    dependencies: { elsewhere: '1' },
  });
  install('packages/server/node_modules/four');
  install('node_modules/never');

  it('include their dependencies where Node finds them, but none for other machines', () => {
    assert.deepEqual(installedFor(root, join(root, 'packages/server'), ['one', 'four']), [
      'node_modules/one',
      'node_modules/one/node_modules/two',
      'node_modules/three',
      'packages/server/node_modules/four',
    ]);
  });

  it('are refused when a dependency is not installed', () => {
    install('node_modules/wanting', { dependencies: { lacking: '1' } });
    assert.throws(() => installedFor(root, root, ['wanting']), /node_modules\/wanting needs lacking/u);
  });
});

describe('the contents of a release', () => {
  it('include every file of deploy/, also those whose names begin with a dot', () => {
    const checkout = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/u, '');
    const wanted = readdirSync(join(checkout, 'deploy'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(checkout, join(entry.parentPath, entry.name)));
    assert.ok(wanted.includes('deploy/compose/.env.example'));
    const contents = contentsOf(checkout, []);
    assert.deepEqual(contents.filter((path) => path.startsWith('deploy/')).sort(), wanted.sort());
  });
});

describe('the bill of materials of a release', () => {
  it('leaves out removed packages, packages that only they need, and the date', () => {
    const about = { 'bom-ref': 'app' };
    const each = (name: string) => ({ 'bom-ref': `${name}@1`, name, version: '1' });
    const sbom: Sbom & { bomFormat: string } = {
      bomFormat: 'CycloneDX',
      serialNumber: 'urn:uuid:1',
      metadata: { timestamp: 'now', component: about },
      components: ['kept', 'shared', 'browser', 'unpacker'].map(each),
      dependencies: [
        { ref: 'app', dependsOn: ['kept@1', 'browser@1'] },
        { ref: 'kept@1', dependsOn: ['shared@1'] },
        { ref: 'browser@1', dependsOn: ['unpacker@1', 'shared@1'] },
        { ref: 'shared@1' },
        { ref: 'unpacker@1' },
      ],
    };
    assert.deepEqual(without(sbom, ['browser']), {
      bomFormat: 'CycloneDX',
      metadata: { component: { ...about, name: 'spaceport' } },
      components: ['kept', 'shared'].map(each),
      dependencies: [
        { ref: 'app', dependsOn: ['kept@1'] },
        { ref: 'kept@1', dependsOn: ['shared@1'] },
        { ref: 'shared@1', dependsOn: [] },
      ],
    });
  });
});
