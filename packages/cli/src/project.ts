import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeStateFile, writeWhole } from '@spaceport/client/node/state-folder';
import type { VersionDetails } from '@spaceport/client/publish';
import { declarationNames } from '@spaceport/contract/declarations';
import type { Issue } from '@spaceport/contract/errors';
import { asSentence, issueOf, parseWith } from '@spaceport/contract/parse';
import { type ServiceJson, serviceJsonSchema, serviceJsonSchemaText } from '@spaceport/contract/service-json';
import { requiredSpaceFields, spaceFieldNames, spaceFieldsSchema } from '@spaceport/contract/spaces';
import type { z } from 'zod';
import { projectOfBuild } from './build-folder.ts';
import { claimFile } from './claim-file.ts';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { insertSpace } from './insert-space.ts';
import { readText } from './read-text.ts';

const projectFileName = 'service.json';

/** A folder to publish, and the service.json that describes it. */
export interface Project {
  /** Absolute path of the folder to publish. */
  readonly folder: string;
  /** Absolute path of service.json, even if the file does not exist. */
  readonly file: string;
  /** The folder with service.json and `.spaceport`. */
  readonly root: string;
  readonly exists: boolean;
  readonly settings: ServiceJson;
}

/**
 * Finds the service.json of a folder: the one named by `--config`; else in the folder itself; else, if a
 * project's build makes the folder, in the project; else in the current folder. Where there is none, it names
 * the place of a new one: the project of a build (which empties the folder itself), else the folder.
 * @throws CliError if the folder does not exist or service.json is not valid
 */
export function openProject(cwd: string, folderArgument: string, configArgument?: string): Project {
  const folder = folderAt(cwd, folderArgument);
  const file = projectFile(cwd, folder, configArgument);
  const exists = existsSync(file);
  const settings = exists ? parseSettings(file, readText(file, 'invalid_config')) : {};
  return { folder, file, root: dirname(file), exists, settings };
}

/** @throws CliError if the folder does not exist */
export function folderAt(cwd: string, folderArgument: string): string {
  const folder = resolve(cwd, folderArgument);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return folder;
  throw found === undefined
    ? new CliError(exitCodes.invalid, 'no_folder', `There is no folder ${folder}.`, {
        next: 'Build it first, or name the folder with the built files.',
      })
    : new CliError(exitCodes.invalid, 'no_folder', `${folder} is no folder.`, {
        next: 'Name the folder with the built files: all of it is published.',
      });
}

function projectFile(cwd: string, folder: string, configArgument: string | undefined): string {
  if (configArgument !== undefined) {
    const named = resolve(cwd, configArgument);
    if (existsSync(named)) return named;
    throw new CliError(exitCodes.invalid, 'no_config', `There is no file ${named}.`);
  }
  const inFolder = join(folder, projectFileName);
  const project = projectOfBuild(folder);
  const inProject = project === undefined ? inFolder : join(project, projectFileName);
  const found = [inFolder, inProject, join(cwd, projectFileName)].find((file) => existsSync(file));
  // A page that was published without an account before may still have its claim token in the folder.
  return found ?? (existsSync(claimFile(folder)) ? inFolder : inProject);
}

function parseSettings(file: string, text: string): ServiceJson {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/u, ''));
  } catch (error) {
    throw new CliError(exitCodes.invalid, 'invalid_config', `${file} is not JSON: ${messageOf(error)}`);
  }
  return validated(serviceJsonSchema, value, file);
}

/** Adapts an issue of an unknown field to a file. The list of allowed fields is printed once, at the end. */
function unknownIn({ path, message }: Issue): Issue {
  return {
    path,
    message: message.replace('is not a field of this request', 'is not a field of service.json'),
  };
}

/** @throws CliError with every issue of an invalid value */
function validated<S extends z.ZodType>(schema: S, value: unknown, where: string): z.output<S> {
  const parsed = parseWith(schema, value);
  if (parsed.success) return parsed.data;
  const issues = parsed.problems.map((problem) =>
    problem.kind === 'unrecognized_keys' ? unknownIn(issueOf(problem)) : issueOf(problem),
  );
  const unknown = parsed.problems.some(({ kind }) => kind === 'unrecognized_keys');
  const first = issues[0];
  throw new CliError(
    exitCodes.invalid,
    'invalid_config',
    issues.length === 1 && first
      ? asSentence(`${where}: ${[first.path, first.message].filter(Boolean).join(' ')}`)
      : `${where} has ${issues.length} problems.`,
    {
      details: issues.length > 1 ? { issues } : {},
      ...(unknown && { next: `Known fields: ${Object.keys(serviceJsonSchema.shape).join(', ')}` }),
    },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Flags of the command line that override service.json. */
export interface Overrides {
  space?: string | undefined;
  title?: string | undefined;
  type?: string | undefined;
  devices?: string | undefined;
  tags?: string | undefined;
  /** The claim token of a page, in place of the one that the folder has. */
  claim?: string | undefined;
}

/**
 * Returns the create body without the files: service.json, overridden by flags. With `spaceIsThere` a claim
 * token identifies the space, so neither a slug nor the fields of a new space are needed.
 * @throws CliError for an invalid flag, and for a new space that lacks required fields
 */
export function detailsOf(
  project: Project,
  overrides: Overrides,
  { spaceIsThere = false }: { spaceIsThere?: boolean } = {},
): VersionDetails {
  const entries = Object.entries(project.settings);
  const fields = validated(
    spaceFieldsSchema.partial(),
    {
      ...Object.fromEntries(entries.filter(([name]) => spaceFieldNames.some((known) => known === name))),
      ...(overrides.title !== undefined && { title: overrides.title }),
      ...(overrides.type !== undefined && { space_type: overrides.type }),
      ...(overrides.devices !== undefined && { devices: splitList(overrides.devices) }),
      ...(overrides.tags !== undefined && { tags: splitList(overrides.tags) }),
    },
    'The listing',
  );
  const declarations = entries.filter(([name]) => declarationNames.some((known) => known === name));
  const space = overrides.space ?? project.settings.space;
  const lacking = requiredSpaceFields.filter((name) => fields[name] === undefined);
  if (space === undefined && !spaceIsThere && lacking.length > 0) {
    throw new CliError(
      exitCodes.invalid,
      'missing_fields',
      `${project.file} lacks ${lacking.join(', ')}, which a new space needs.`,
      {
        next: 'Add them there, or give --title, --type and --devices.',
        details: { fields: lacking },
      },
    );
  }
  return {
    ...(space !== undefined && { space }),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...Object.fromEntries(declarations),
  };
}

export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * Writes the slug of a new space into service.json, and keeps the rest of the file unchanged.
 * @returns the slug that the file names then: of two first publishes at once, that of the one that was sooner
 * @throws Error if the file cannot be written
 */
export function rememberSpace(project: Project, space: string, settings: ServiceJson): string {
  const named = spaceIn(project.file);
  if (named !== undefined) return named;
  if (existsSync(project.file))
    writeWhole(project.file, insertSpace(readText(project.file, 'invalid_config'), space));
  else writeProject(project, { ...settings, space });
  return space;
}

/** Returns the slug that a service.json names now, or undefined if there is none or the file is not readable. */
export function spaceIn(file: string): string | undefined {
  try {
    return parseSettings(file, readText(file, 'invalid_config')).space;
  } catch {
    return undefined;
  }
}

/** Writes a new service.json, and its schema for editors. */
export function writeProject(project: Pick<Project, 'file' | 'root'>, settings: ServiceJson): void {
  const hasSchema = placeSchema(project.root);
  const document = { ...(hasSchema && { $schema: './.spaceport/service.schema.json' }), ...settings };
  writeWhole(project.file, `${JSON.stringify(document, null, 2)}\n`);
}

/**
 * Writes the schema so that it is committed, unlike the rest of `.spaceport`, for everybody who edits the
 * file.
 * @returns false if it cannot be written: service.json is as good without it
 */
function placeSchema(root: string): boolean {
  try {
    writeStateFile(root, '.gitignore', '*\n!.gitignore\n!service.schema.json\n');
    writeStateFile(root, 'service.schema.json', serviceJsonSchemaText());
    return true;
  } catch {
    return false;
  }
}
