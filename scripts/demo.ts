/**
 * `npm run demo`, beside a running service: makes an account `demo`, publishes the example games with the
 * command line tool as anybody would, and prints where to open them. Run again it publishes only games that
 * have changed; with names (`npm run demo -- mothlight`) only those.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ApiError } from '@spaceport/client/api-error';
import { createClient } from '@spaceport/client/client';

const root = fileURLToPath(new URL('..', import.meta.url));
const handle = 'demo';
const games = ['mothlight', 'skerry', 'stillwater', 'two-comets'];

/** An error that a person can fix; printed without a stack. */
class DemoError extends Error {}

async function findService(): Promise<string> {
  const address = (process.env.SPACEPORT_SERVER || `http://localhost:${process.env.PORT || 3000}`).replace(
    /\/+$/u,
    '',
  );
  try {
    const answer = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(5_000) });
    if (answer.ok) return address;
    throw new Error(`/healthz answered ${answer.status}`);
  } catch (error) {
    const reason =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new DemoError(
      `No service answers at ${address} (${reason}).\n` +
        'Start one in another terminal with: npm start\n' +
        'If it runs elsewhere, set SPACEPORT_SERVER or PORT; with DATA_DIR or DATABASE_URL, set the same ones here.',
    );
  }
}

/** Calls `npm run admin` on the database of the service, with the same environment. */
async function admin(...args: string[]): Promise<unknown> {
  const main = join(root, 'packages/server/bin/spaceport-server.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'admin', ...args, '--json'], {
    cwd: root,
  });
  return JSON.parse(stdout);
}

async function issueToken(): Promise<string> {
  const answer = await admin('create-token', '--handle', handle);
  if (typeof answer === 'object' && answer !== null && 'token' in answer) return String(answer.token);
  throw new DemoError('The service made no token.');
}

/** Returns a token of the account `demo`, and makes the account if it does not exist. */
async function signIn(): Promise<string> {
  try {
    return await issueToken();
  } catch {
    // Usually the account does not exist yet. For any other problem, creating the account fails with a
    // message.
  }
  // Hex has no dash; the command line would read a leading dash as an option.
  const password = randomBytes(12).toString('hex');
  try {
    await admin('create-account', '--handle', handle, '--email', 'demo@example.com', '--password', password);
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new DemoError(`The account ${handle} could not be made: ${said}`);
  }
  console.log(`Made the account ${handle}: sign in as demo@example.com with the password ${password}`);
  return issueToken();
}

/**
 * Returns whether an earlier run made the space, and whether it is live. Then it gets a new version, and no
 * second space.
 */
async function findOurs(server: string, token: string, game: string): Promise<'live' | 'there' | null> {
  try {
    const client = createClient({ baseUrl: server, token });
    const { versions } = await client.listVersions({ params: { slug: game } });
    return versions.some(({ live }) => live) ? 'live' : 'there';
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthorized') {
      throw new DemoError(
        `The service at ${server} does not know the token that was just made: it runs on another database.\n` +
          'Set the same DATA_DIR or DATABASE_URL here as for the service.',
      );
    }
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  }
}

/** Writes a game's published files into the folder: its own files, or the output of its build. */
async function fill(folder: string, game: string): Promise<void> {
  const source = join(root, 'examples', game);
  if (!existsSync(join(source, 'vite.config.js'))) return cpSync(source, folder, { recursive: true });
  const { build } = await import('vite');
  await build({ root: source, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } });
}

interface Published {
  readonly isNew: boolean;
  readonly pageUrl: string;
  readonly url: string;
}

/** Publishes a copy, so that neither the slug nor anything else is written into the example itself. */
async function publish(server: string, token: string, game: string): Promise<Published> {
  const folder = mkdtempSync(join(tmpdir(), 'spaceport-demo-'));
  const spaceport = async (...words: string[]) => {
    const args = [join(root, 'packages/cli/bin/spaceport.mjs'), 'publish', folder, ...words, '--json'];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, SPACEPORT_SERVER: server, SPACEPORT_TOKEN: token },
      // The command's notes about the copy's service.json are not shown.
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [printed, said] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((resolve) => child.on('close', resolve)),
    ]);
    if (printed === '') throw new DemoError(`Publishing failed: ${said.trim()}`);
    const document = JSON.parse(printed);
    if ('error' in document) throw new DemoError(`Publishing failed: ${document.error.message}`);
    return document;
  };
  try {
    await fill(folder, game);
    const ours = await findOurs(server, token, game);
    const space = ours === null ? [] : ['--space', game];
    if (ours === 'live') {
      const { added, changed, removed } = (await spaceport('--dry-run', ...space)).diff;
      if (added.length + changed.length + removed.length === 0) {
        const there = await createClient({ baseUrl: server, token }).readSpace({ params: { slug: game } });
        return { isNew: false, pageUrl: there.service_url, url: there.url ?? there.service_url };
      }
    }
    console.log(`Publishing ${game}, and waiting for its safety check…`);
    const document = await spaceport('--live', ...space);
    if (document.outcome !== 'live') {
      const findings: { message: string; fix: string }[] = document.report?.findings ?? [];
      const lines = findings.map(({ message, fix }) => `  ${message} ${fix}`);
      throw new DemoError(
        [`The version is ${document.outcome}: ${document.reason ?? ''}`, ...lines].join('\n'),
      );
    }
    return { isNew: true, pageUrl: document.pageUrl, url: document.space.url };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws DemoError for the name of an unknown game */
function chosenGames(): readonly string[] {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !games.includes(name));
  if (unknown.length > 0)
    throw new DemoError(`There is no game ${unknown.join(', ')}; there are ${games.join(', ')}.`);
  return names.length > 0 ? names : games;
}

try {
  const chosen = chosenGames();
  const server = await findService();
  const token = await signIn();
  for (const game of chosen) {
    const { isNew, pageUrl, url } = await publish(server, token, game);
    const what = isNew ? 'Published.' : 'It is published already, as it is here.';
    console.log(`${what} Open ${pageUrl}\nor play it alone at ${url}\n`);
  }
} catch (error) {
  console.error(error instanceof DemoError ? error.message : error);
  process.exitCode = 1;
}
