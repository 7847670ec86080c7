import { type FolderSource, folderSource } from '@spaceport/client/node/folder-source';
import { dryRun, publish as publishVersion } from '@spaceport/client/publish';
import type { BatchRequest, UploadTransport } from '@spaceport/client/source';
import { accountTarget } from '../account-target.ts';
import { afterLimitWithoutAccount, anonymousTarget, refuseLive } from '../anonymous-target.ts';
import { withNext } from '../cli-error.ts';
import { type Context, signedIn } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { formatBytes, plural, printableLine } from '../format.ts';
import { withEntry } from '../guess-entry.ts';
import { namesFor } from '../names-again.ts';
import type { Output } from '../output.ts';
import { ProgressView } from '../progress.ts';
import { type Overrides, openProject, type Project } from '../project.ts';
import { documentOf, exitCodeOf, type PublishEnd, textOf } from '../publish-result.ts';
import type { PublishTarget } from '../publish-target.ts';
import { clearResume, createKeyFor, fingerprintOf, readResume, writeResume } from '../resume.ts';
import { SentVersion } from '../sent-version.ts';

/**
 * Uploads of many small files are limited by latency, not by bandwidth: more parallel uploads hide more of
 * the latency, and let the service make more files durable together.
 */
const uploadLanes = 32;

export interface PublishFlags extends Overrides {
  anonymous?: boolean;
  live?: boolean;
  dryRun?: boolean;
  wait: boolean;
  config?: string;
}

/** Publishes a folder. @returns the exit code for the verdict */
export async function publish(context: Context, folder: string, flags: PublishFlags): Promise<ExitCode> {
  const { output } = context;
  return open(context, folder, flags, async (opened) => {
    if (flags.dryRun) return tryOut(context, opened.target, opened.source);
    const end = await send(opened);
    clearResume(opened.project.root);
    const { slug } = end.result.space;
    const again = namesFor({ cwd: context.cwd, folder, project: opened.project, flags, slug });
    output.result(documentOf(end), textOf(output, end, again));
    return exitCodeOf(end);
  });
}

/** How a publish for a program ended. */
export interface FolderEnd {
  readonly end: PublishEnd;
  /** Call it once the program knows the end. Until then, the next publish of the same content gets this version. */
  forget(): void;
}

/** Publishes a folder for a program. */
export function publishFolder(context: Context, folder: string, flags: PublishFlags): Promise<FolderEnd> {
  return open(context, folder, flags, async (opened) => ({
    end: await send(opened),
    forget: () => clearResume(opened.project.root),
  }));
}

/** Reads the folder and determines the target; then calls `work`. */
async function open<T>(
  context: Context,
  folder: string,
  flags: PublishFlags,
  work: (opened: Sending) => Promise<T>,
): Promise<T> {
  const { output, signal } = context;
  const { project, target } = await aim(context, folder, flags);
  const view = await ProgressView.open(context);
  try {
    const source = await folderSource(project.folder, {
      projectFolder: project.root,
      required: [target.details.entry ?? 'index.html'],
      onProgress: (progress) => view.hash(progress),
      signal,
    });
    view.stop();
    noteSkipped(output, source);
    const done = work({ context, project, target, source, view, flags });
    return await withNext(done, flags.anonymous ? afterLimitWithoutAccount() : {});
  } finally {
    view.stop();
  }
}

/** Determines what is published and where. The only request asks about an earlier page without an account. */
async function aim(
  context: Context,
  folder: string,
  flags: PublishFlags,
): Promise<{ project: Project; target: PublishTarget }> {
  if (flags.anonymous) {
    if (flags.live) refuseLive();
    const project = withEntry(context.output, openProject(context.cwd, folder, flags.config));
    return { project, target: await anonymousTarget(context, project, flags) };
  }
  const client = signedIn(context, flags.live ? undefined : 'publish without an account: --anonymous');
  const project = withEntry(context.output, openProject(context.cwd, folder, flags.config));
  return { project, target: await accountTarget({ context, client, project, flags }) };
}

function noteSkipped(output: Output, { skipped, files, bytes }: FolderSource): void {
  output.note(`${plural(files.length, 'file')}, ${formatBytes(bytes)}.`);
  // Files that everybody expects to be left out are not listed.
  const worthTelling = skipped.filter(({ path }) => path !== 'service.json' && path !== '.spaceport/');
  if (worthTelling.length === 0) return;
  const shown = worthTelling.slice(0, 5).map(({ path }) => printableLine(path));
  const more = worthTelling.length > shown.length ? `, and ${worthTelling.length - shown.length} more` : '';
  output.note(`Left out: ${shown.join(', ')}${more}.`);
}

interface Sending {
  context: Context;
  project: Project;
  target: PublishTarget;
  source: FolderSource;
  view: ProgressView;
  flags: PublishFlags;
}

async function send(sending: Sending): Promise<PublishEnd> {
  const { context, project, target, source, view, flags } = sending;
  const { client, details } = target;
  const live = flags.live === true;
  const fingerprint = fingerprintOf(client.baseUrl, live, details, source);
  const resume = readResume(project.root, fingerprint, target.slug);
  const sent = new SentVersion(resume);
  // A create is the same for a preview as for production, which is only decided when the version is finished.
  const createFingerprint = fingerprintOf(client.baseUrl, false, details, source);
  const upload = uploads();
  try {
    const result = await publishVersion(client, {
      source,
      details,
      live,
      wait: flags.wait,
      resume,
      createKey: resume ? undefined : createKeyFor(project.root, createFingerprint, target.slug),
      upload,
      concurrency: uploadLanes,
      signal: context.signal,
      onProgress(progress) {
        sent.enter(progress.phase);
        view.publish(progress);
      },
      onCreated(created) {
        sent.created(created);
        writeResume(project.root, fingerprint, created);
        target.onCreated(created);
      },
    });
    view.stop();
    return { result, source, waited: flags.wait, claim: target.claim() };
  } catch (error) {
    throw sent.orResumable(live ? sent.explain(error, context.signal) : error);
  } finally {
    upload.close();
  }
}

/** Loads the transport at the first upload, because a publish without changes has no uploads. */
function uploads(): UploadTransport & { close(): void } {
  let opened: ReturnType<typeof open> | undefined;
  const open = async () => {
    const { httpUploads } = await import('@spaceport/client/node/http-upload');
    return httpUploads({ maxSockets: uploadLanes, ownsBodies: true });
  };
  const transport = () => {
    opened ??= open();
    return opened;
  };
  const upload: UploadTransport = async (request) => (await transport())(request);
  return Object.assign(upload, {
    batch: async (request: BatchRequest) => (await transport()).batch(request),
    close: () => void opened?.then((transport) => transport.close()),
  });
}

async function tryOut(
  { output, signal }: Context,
  { dryRunClient, details }: PublishTarget,
  source: FolderSource,
): Promise<ExitCode> {
  const answer = await dryRun(dryRunClient, { source, details, signal });
  const { added, changed, removed, unchanged } = answer.diff;
  const lines = [
    `Nothing was published. It would upload ${plural(answer.missing.files, 'file')}, ${formatBytes(answer.missing.bytes)}.`,
    `${added.length} added, ${changed.length} changed, ${removed.length} removed, ${unchanged} unchanged.`,
  ];
  for (const [sign, paths] of [
    ['+', added],
    ['~', changed],
    ['-', removed],
  ] as const) {
    lines.push(...paths.slice(0, 20).map((path) => `  ${sign} ${printableLine(path)}`));
    if (paths.length > 20) lines.push(`  ${sign} … and ${paths.length - 20} more`);
  }
  output.result({ ...answer, skipped: source.skipped }, lines.join('\n'));
  return exitCodes.ok;
}
