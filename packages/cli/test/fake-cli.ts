import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'node:test';
import { FakeService } from '../../client/test/fake-service.ts';
import { type ProcessOptions, type RunOptions, runCli, runCliProcess } from './run-cli.ts';

/** The fields that service.json needs for a new space. */
export const settings = { title: 'Drift', space_type: 'game', devices: ['desktop'] };

/** Makes a fake service, and a folder with a game of two files, before each test of the file. */
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
  /** Runs the command, signed in by environment variables. */
  const cli = (args: string[], options: Partial<RunOptions> = {}) =>
    runCli(args, { ...signedIn(), ...options });
  return {
    get service() {
      return service;
    },
    /** Returns the absolute path of a path in the folder. */
    at: (path: string) => join(folder, path),
    write,
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    useSettings: (more: object = {}) =>
      write('game/service.json', JSON.stringify({ ...settings, ...more }, null, 2)),
    cli,
    /** Runs the command in a process of its own. */
    cliProcess: (args: string[], options: Partial<ProcessOptions> = {}) =>
      runCliProcess(args, { ...signedIn(), ...options }),
    async json(args: string[], options: Partial<RunOptions> = {}) {
      const { code, stdout, stderr } = await cli([...args, '--json'], options);
      // stdout must be exactly one JSON document: anything else would not parse.
      return { code, stderr, document: JSON.parse(stdout) };
    },
  };
}
