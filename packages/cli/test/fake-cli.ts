import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'node:test';
import { FakeService } from '../../client/test/fake-service.ts';
import { type ProcessOptions, type RunOptions, runCli, runCliProcess } from './run-cli.ts';

/** What service.json must say of a new space. */
export const settings = { title: 'Drift', space_type: 'game', devices: ['desktop'] };

/** Before each test of the file: a fake service, and a folder with a game of two files. */
export function fakeCli() {
  let service: FakeService;
  let folder: string;
  beforeEach(async () => {
    service = await FakeService.start();
    folder = mkdtempSync(join(tmpdir(), 'spaceport-cli-'));
    write('game/index.html', '<!doctype html><title>Drift &amp; Dive</title>');
    write('game/a.js', 'play()');
  });
  afterEach(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function write(path: string, text: string): void {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const signedIn = () => ({
    cwd: folder,
    env: { SPACEPORT_SERVER: service.baseUrl, SPACEPORT_TOKEN: service.token },
  });
  /** Runs the command signed in by the environment. */
  const cli = (args: string[], options: Partial<RunOptions> = {}) =>
    runCli(args, { ...signedIn(), ...options });
  return {
    get service() {
      return service;
    },
    /** Where a path of the folder is. */
    at: (path: string) => join(folder, path),
    write,
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    useSettings: (more: object = {}) =>
      write('game/service.json', JSON.stringify({ ...settings, ...more }, null, 2)),
    cli,
    /** The same in a process of its own. */
    cliProcess: (args: string[], options: Partial<ProcessOptions> = {}) =>
      runCliProcess(args, { ...signedIn(), ...options }),
    async json(args: string[], options: Partial<RunOptions> = {}) {
      const { code, stdout, stderr } = await cli([...args, '--json'], options);
      // Exactly one document: anything else on stdout would not parse.
      return { code, stderr, document: JSON.parse(stdout) };
    },
  };
}
