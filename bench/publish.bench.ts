import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { cliFolder, ensureBuild } from '../packages/server/src/pages/built/build.ts';
import { run, settle, temporaryFolder, timed } from './lib/processes.ts';
import { type BenchResult, row } from './lib/result.ts';
import { interleaved, median } from './lib/rounds.ts';
import { createToken, startService } from './lib/service.ts';
import { findTool, MissingTool, requireTool } from './lib/tools.ts';
import { makeTree } from './lib/tree.ts';

const rounds = 6;
const files = 2_000;
const bytes = 200_000_000;
const changedFile = 'assets-7/part-7.bin';

/** Publishing a folder with the CLI, beside the minimal work of any tool with the same files. */
export async function bench(): Promise<BenchResult> {
  for (const tool of ['sha256sum', 'cp', 'sync', 'rsync']) requireTool(tool);
  if (findTool('xargs') === null) throw new MissingTool('findutils');
  // The command as users have it: packed into one file.
  const cli = join(await ensureBuild(), cliFolder, 'start.mjs');
  await using folder = await temporaryFolder();
  const project = join(folder.path, 'project');
  const tree = join(project, 'dist');
  await makeTree(tree, files, bytes);
  const earlier = join(folder.path, 'earlier');
  await makeTree(join(earlier, 'dist'), files / 4, bytes / 10);
  // Nothing is deleted before the end: for some minutes ext4 skips every freed inode one by one, and each
  // side would pay for the deletions of the other.
  let folders = 0;
  const sides = {
    ours: () => publishThrice(folder.path, { cli, project, earlier }, join(folder.path, `data-${folders++}`)),
    plain: () => copyThrice(folder.path, tree, join(folder.path, `copy-${folders++}`)),
  };
  // The first round brings the files into memory.
  await interleaved(1, sides);
  const results = await interleaved(rounds, sides);
  const middle = (times: Times[], which: keyof Times) => ({
    value: median(times.map((time) => time[which])) / 1000,
    unit: 's',
  });
  const compare = (what: string, which: keyof Times, name: string, atMost: number) =>
    row(
      what,
      middle(results.ours, which),
      { name, ...middle(results.plain, which) },
      { of: 'ratio', atMost },
    );
  return {
    title: 'Publishing',
    method: `A folder of ${files.toLocaleString('en')} files, ${bytes / 1e6} MB, published as a preview with the command that the service serves: the time of the whole command, which ends when the version is finished and every file is durable. The service has no file of it, and has taken another folder before. The safety check and the compressed forms come after that and are not in it. Everything is in the page cache on both sides, nothing waits to be written when a round begins, and nothing is deleted before the last; ${rounds} rounds in turns, the median of them.`,
    rows: [
      compare('the first publish', 'first', 'sha256sum + cp -a + sync', 2.2),
      compare('… with one file changed', 'oneChanged', 'rsync -a --checksum', 3),
      compare('… with none changed', 'noneChanged', 'rsync -a --checksum', 3),
    ],
  };
}

/** Durations in milliseconds. */
interface Times {
  first: number;
  oneChanged: number;
  noneChanged: number;
}

/**
 * Publishes to a service that has none of the files. It has taken an earlier project before, so that its code
 * is compiled.
 */
async function publishThrice(
  folder: string,
  { cli, project, earlier }: { cli: string; project: string; earlier: string },
  data: string,
): Promise<Times> {
  await mkdir(data);
  return withService(data, async (env) => {
    const publish = async (from: string) => {
      await settle(folder);
      return timed(() =>
        run('load', process.execPath, [cli, 'publish', 'dist', '--no-wait', '--json'], { cwd: from, env }),
      );
    };
    for (const one of [earlier, project]) await forgetPublishes(one);
    await publish(earlier);
    const first = await publish(project);
    await change(join(project, 'dist'));
    const oneChanged = await publish(project);
    return { first, oneChanged, noneChanged: await publish(project) };
  });
}

/** Deletes the stored slug and hashes, as if the project had never been published. */
async function forgetPublishes(project: string): Promise<void> {
  await rm(join(project, '.spaceport'), { recursive: true, force: true });
  const settings = { title: 'Bench', space_type: 'game', devices: ['desktop'] };
  await writeFile(join(project, 'service.json'), JSON.stringify(settings));
}

async function withService<T>(data: string, use: (env: Record<string, string>) => Promise<T>): Promise<T> {
  // Without jobs, which would make the compressed forms of one publish while the next one is timed.
  await using service = await startService(data, { role: 'serve' });
  const token = await createToken(data);
  const { PATH = '' } = process.env;
  return await use({ PATH, HOME: data, SPACEPORT_SERVER: service.baseUrl, SPACEPORT_TOKEN: token });
}

async function copyThrice(folder: string, tree: string, copy: string): Promise<Times> {
  const shell = async (script: string) => {
    await settle(folder);
    return timed(() => run('load', 'sh', ['-ec', script, 'sh', tree, copy]));
  };
  const first = await shell(
    'find "$1" -type f -print0 | xargs -0 sha256sum >/dev/null; cp -a "$1" "$2"; sync -f "$2"',
  );
  await change(tree);
  const oneChanged = await shell('rsync -a --checksum "$1/" "$2"');
  const noneChanged = await shell('rsync -a --checksum "$1/" "$2"');
  return { first, oneChanged, noneChanged };
}

const change = (tree: string) => appendFile(join(tree, changedFile), 'changed');
