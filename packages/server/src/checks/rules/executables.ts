import type { Finding } from '@spaceport/contract/versions';
import type { Rule } from '../rule.ts';
import { executableKind, farPeHeader, isNetFile, isOle, msiClass } from './executable-magic.ts';
import { isArchivedProgramName, isProgramName, isWindowsScriptName } from './executable-names.ts';
import { ruleFindings, shown } from './finding.ts';
import { eachFile } from './reading/each-file.ts';
import type { ReadFile } from './reading/read-file.ts';

const finding = ruleFindings('executables');
/**
 * A path in bundles of the js-dos player. The other files in a bundle are programs for an emulated machine.
 */
const dosBundleEntry = '.jsdos/dosbox.conf';
const androidManifest = 'AndroidManifest.xml';
/** A path in the packages of pygbag, whose name ends as that of an Android package. */
const pygbagEntry = 'assets/main.py';
/** A script in Python's own library, which Pyodide loads as an archive. */
const pythonScript = /(?:^|\/)ctypes\/macholib\/fetch_macholib\.bat$/u;
/** Paths that tell what an archive is. */
const markers: ReadonlySet<string> = new Set([dosBundleEntry, androidManifest, pygbagEntry]);
/** The runtime of .NET for browsers, with or without a version or hash in its name, as Blazor has it. */
const netRuntime = /(?:^|\/)(?:dotnet|mono)(?:\.[\w.-]+)?\.wasm$/iu;
/** What the runtime loads. No double click starts a file of this name, whatever is in it. */
const netLibrary = /\.dll(?:\.br|\.gz)?$/iu;

/**
 * Finds native programs, whatever their name, and archives that contain some. A page runs in the
 * browser and needs no downloads.
 */
export const executables: Rule = {
  name: 'executables',
  check(version) {
    const hasNet = version.files.some(({ path }) => netRuntime.test(path));
    return eachFile(version, {
      patterns: [msiClass],
      wantsName: (name) => markers.has(name) || isArchivedProgram(name),
      async visit(file) {
        const isNet = hasNet && netLibrary.test(file.path);
        const isLoaded = isNet && file.layers.some((layer) => isNetFile(layer.firstBytes()));
        const kind = isLoaded ? null : await programKind(file);
        if (kind) return [refusal(file.path, `It is a ${kind}.`)];
        if (isProgramName(file.path) && !isPygbagPackage(file))
          return [refusal(file.path, 'Its name is that of a program.')];
        if (isWindowsScriptName(file.path)) return [mention(file.path)];
        return archived(file);
      },
    });
  },
};

const isArchivedProgram = (name: string) => isArchivedProgramName(name) && !pythonScript.test(name);

/** Phones install no package without a manifest. */
function isPygbagPackage({ path, archived }: ReadFile): boolean {
  return /\.apk$/iu.test(path) && archived.includes(pygbagEntry) && !archived.includes(androidManifest);
}

async function programKind(file: ReadFile): Promise<string | null> {
  for (const layer of file.layers) {
    const kind = executableKind(layer);
    if (kind) return kind;
    if (isOle(layer.firstBytes()) && file.matches(msiClass).length > 0) return 'Windows installer (MSI)';
  }
  const [stored] = file.layers;
  const far = stored ? farPeHeader(stored.firstBytes(), stored.size) : null;
  const isFarPe = far !== null && (await bytesAt(file, far, 4)).toString('latin1') === 'PE\0\0';
  return isFarPe ? 'Windows program (PE)' : null;
}

function archived(file: ReadFile): Finding[] {
  if (file.archived.includes(androidManifest)) return [refusal(file.path, 'It is an Android package (APK).')];
  const name = file.archived.find(isArchivedProgram);
  if (name === undefined) return [];
  if (!file.archived.includes(dosBundleEntry)) {
    return [refusal(file.path, `It is an archive with a program in it ("${shown(name)}").`)];
  }
  return [
    finding(
      'warn',
      file.path,
      `It is a bundle of an emulator with programs in it ("${shown(name)}").`,
      'Nothing, if these are programs for the emulated machine.',
    ),
  ];
}

async function bytesAt({ source }: ReadFile, offset: number, length: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let position = 0;
  for await (const chunk of await source.open()) {
    const piece = chunk.subarray(Math.max(0, offset - position), Math.max(0, offset + length - position));
    if (piece.length > 0) pieces.push(Buffer.from(piece));
    position += chunk.length;
    if (position >= offset + length) break;
  }
  return Buffer.concat(pieces);
}

function refusal(path: string, message: string): Finding {
  return finding(
    'refuse',
    path,
    message,
    'Leave it out of the upload: only what the page loads in the browser is needed.',
  );
}

function mention(path: string): Finding {
  return finding(
    'warn',
    path,
    'It is a script for Windows, which no page can use.',
    'Leave it out of the upload: only what the page loads in the browser is needed.',
  );
}
