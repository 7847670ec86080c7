import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishLive } from '../../server/test/files.ts';
import type { Persona, TestService } from '../../server/test/service.ts';
import { type Ended, runCli } from './run-cli.ts';

/** The folder of a live space, whose creator runs the command in it. */
export interface SpaceFolder {
  readonly folder: string;
  readonly slug: string;
  /** Writes service.json with the space's address and these fields. */
  settings(more: object): void;
  write(path: string, text: string): void;
  cli(args: string[], input?: string): Promise<Ended>;
  /** Runs the command with `--json`. Returns its one document. */
  // biome-ignore lint/suspicious/noExplicitAny: a document is looked into as the test that asked knows it
  json(args: string[], input?: string): Promise<{ code: number | null; stderr: string; document: any }>;
  remove(): void;
}

export async function openSpaceFolder(service: TestService, creator: Persona): Promise<SpaceFolder> {
  const folder = mkdtempSync(join(tmpdir(), 'spaceport-game-'));
  const { slug } = (await publishLive(service, creator)).space;
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const settings = (more: object) => write('service.json', JSON.stringify({ space: slug, ...more }));
  settings({});
  const cli = (args: string[], input?: string) => {
    const env = { SPACEPORT_SERVER: service.baseUrl, SPACEPORT_TOKEN: creator.token };
    return runCli(args, { cwd: folder, env, ...(input === undefined ? {} : { input }) });
  };
  return {
    folder,
    slug,
    settings,
    write,
    cli,
    async json(args, input) {
      const { code, stdout, stderr } = await cli([...args, '--json'], input);
      return { code, stderr, document: JSON.parse(stdout) };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
