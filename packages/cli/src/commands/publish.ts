import type { Client } from '@spaceport/client/client';
import { type FolderSource, folderSource } from '@spaceport/client/node/folder-source';
import { httpUploads } from '@spaceport/client/node/http-upload';
import {
  dryRun,
  type PublishResult,
  publish as publishVersion,
  type VersionDetails,
} from '@spaceport/client/publish';
import { type Context, signedIn } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { formatBytes, plural } from '../format.ts';
import type { Output } from '../output.ts';
import { ProgressView } from '../progress.ts';
import { detailsOf, type Overrides, openProject, type Project, rememberSpace } from '../project.ts';
import { formatReport } from '../report.ts';
import { clearResume, fingerprintOf, readResume, writeResume } from '../resume.ts';

/** Many small files are bound by the way there and back, not by the line: more lanes hide more of it. */
const uploadLanes = 16;

export interface PublishFlags extends Overrides {
  live?: boolean;
  dryRun?: boolean;
  wait: boolean;
  config?: string;
}

/** Publishes a folder. @returns the exit code that the verdict stands for */
export async function publish(context: Context, folder: string, flags: PublishFlags): Promise<ExitCode> {
  const { output, signal, cwd } = context;
  const client = signedIn(context);
  const project = openProject(cwd, folder, flags.config);
  const details = detailsOf(project, flags);
  const view = new ProgressView(output);
  try {
    const source = await folderSource(project.folder, {
      projectFolder: project.root,
      required: [details.entry ?? 'index.html'],
      onProgress: (progress) => view.hash(progress),
      signal,
    });
    view.stop();
    noteSkipped(output, source);
    if (flags.dryRun) return await tryOut(context, client, source, details);
    const result = await send({ context, client, project, details, source, view, flags });
    view.stop();
    output.result(documentOf(result, source), textOf(output, result, flags.wait));
    return exitCodeOf(result);
  } finally {
    view.stop();
  }
}

function noteSkipped(output: Output, { skipped, files, bytes }: FolderSource): void {
  output.note(`${plural(files.length, 'file')}, ${formatBytes(bytes)}.`);
  // What a person expects to be left out needs no line of its own.
  const worthTelling = skipped.filter(({ path }) => path !== 'service.json' && path !== '.spaceport/');
  if (worthTelling.length === 0) return;
  const shown = worthTelling.slice(0, 5).map(({ path }) => path);
  const more = worthTelling.length > shown.length ? `, and ${worthTelling.length - shown.length} more` : '';
  output.note(`Left out: ${shown.join(', ')}${more}.`);
}

interface Sending {
  context: Context;
  client: Client;
  project: Project;
  details: VersionDetails;
  source: FolderSource;
  view: ProgressView;
  flags: PublishFlags;
}

async function send({
  context,
  client,
  project,
  details,
  source,
  view,
  flags,
}: Sending): Promise<PublishResult> {
  const { output, signal } = context;
  const live = flags.live === true;
  const fingerprint = fingerprintOf(client.baseUrl, live, details, source);
  const upload = httpUploads({ maxSockets: uploadLanes });
  try {
    const result = await publishVersion(client, {
      source,
      details,
      live,
      wait: flags.wait,
      resume: readResume(project.root, fingerprint, details.space),
      upload,
      concurrency: uploadLanes,
      signal,
      onProgress: (progress) => view.publish(progress),
      onCreated(created) {
        writeResume(project.root, fingerprint, created);
        if (details.space === undefined) remember(output, project, created.space.slug, details.fields);
      },
    });
    clearResume(project.root);
    return result;
  } finally {
    upload.close();
  }
}

/** At create, not at the end: an interrupted first publish must not make a second space. */
function remember(output: Output, project: Project, slug: string, fields: VersionDetails['fields']): void {
  try {
    rememberSpace(project, slug, fields);
    output.note(
      `The new space is "${slug}". service.json says so now: commit it, and your team publishes there.`,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    output.warn(`The new space is "${slug}", which could not be written to service.json: ${reason}`);
  }
}

async function tryOut(
  { output, signal }: Context,
  client: Client,
  source: FolderSource,
  details: VersionDetails,
): Promise<ExitCode> {
  const answer = await dryRun(client, { source, details, signal });
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
    lines.push(...paths.slice(0, 20).map((path) => `  ${sign} ${path}`));
    if (paths.length > 20) lines.push(`  ${sign} … and ${paths.length - 20} more`);
  }
  output.result({ ...answer, skipped: source.skipped }, lines.join('\n'));
  return exitCodes.ok;
}

function exitCodeOf({ outcome }: PublishResult): ExitCode {
  if (outcome === 'refused') return exitCodes.refused;
  return outcome === 'unjudged' || outcome === 'stopped' ? exitCodes.undecided : exitCodes.ok;
}

function documentOf(result: PublishResult, source: FolderSource) {
  const { files, bytes, skipped } = source;
  return { ...result, files: files.length, bytes, skipped };
}

function textOf(output: Output, result: PublishResult, waited: boolean): string {
  const { outcome, version, space, pageUrl, previewUrl, reason, report } = result;
  const what = `version ${version.number} of ${space.slug}`;
  const lines: string[] = [];
  switch (outcome) {
    case 'live':
      lines.push(
        `${output.heading('Live:', 'green')} ${what}`,
        `  Page     ${pageUrl}`,
        `  Address  ${space.url}`,
      );
      break;
    case 'preview':
      lines.push(
        `${output.heading('Preview:', 'cyan')} ${what}, for 24 hours`,
        `  Preview  ${previewUrl}`,
        `  Page     ${pageUrl}`,
        'To make it live: spaceport publish --live',
      );
      break;
    case 'checking':
      lines.push(`${output.heading('Checking:', 'cyan')} ${what}`, `  Page     ${pageUrl}`);
      if (!waited) lines.push(`See how it went with: spaceport status ${version.number}`);
      break;
    case 'refused':
      lines.push(`${output.heading('Refused:', 'red')} ${what}`);
      break;
    case 'unjudged':
      lines.push(`${output.heading('Not judged:', 'yellow')} ${what}; the safety check could not decide.`);
      break;
    case 'stopped':
      lines.push(`${output.heading('Stopped:', 'yellow')} the check of ${what} ended without a verdict.`);
      break;
  }
  if (reason) lines.push(`  ${reason}`);
  lines.push(...formatReport(report));
  if (outcome === 'refused') {
    lines.push(
      `Mend what is named above and publish again; if it is wrong, ask a person: spaceport review ${version.number}`,
    );
  } else if (outcome === 'unjudged') {
    lines.push(`Publish again, or ask a person to look: spaceport review ${version.number}`);
  } else if (outcome === 'stopped') lines.push('Nothing is queued: publish again later.');
  return lines.join('\n');
}
