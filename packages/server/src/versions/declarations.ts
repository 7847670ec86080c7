import { type Declarations, declarationNames } from '@spaceport/contract/declarations';
import { pathProblem } from '@spaceport/contract/paths';
import { shimNames } from '@spaceport/contract/portals';
import { fromJson } from '../platform/db/json.ts';
import { ServiceError } from '../platform/errors.ts';
import { modulePaths, shimPath } from '../serving/module/module-texts.ts';
import type { TakenPaths } from './manifest.ts';
import type { VersionRow } from './versions.queries.ts';

export const defaultEntry = 'index.html';

/**
 * Takes the declarations out of a create body. Code in declarations/ checks whether the space has room for
 * them.
 * @throws `invalid_declaration` for an entry that is not a path
 */
export function readDeclarations(body: Declarations): Declarations {
  const declarations = Object.fromEntries(
    declarationNames.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  ) as Declarations;
  const { entry } = declarations;
  const problem = entry === undefined ? null : pathProblem(entry);
  if (problem === null) return declarations;
  throw new ServiceError('invalid_declaration', `«entry» ${problem}.`, {
    issues: [{ path: 'entry', message: problem }],
  });
}

/**
 * Returns the paths of the player module and of the portals' scripts. No file of a version may have them,
 * unless the version does without the module or the scripts.
 */
export function takenPaths({ sdk = true, shims = true }: Declarations): TakenPaths {
  const reason =
    'is where the service puts the player module; rename it, or send "sdk": false to publish without the module';
  const paths = sdk ? [...modulePaths, ...(shims ? shimNames.map(shimPath) : [])] : [];
  return new Map(paths.map((path) => [path.slice(1), reason]));
}

/** Returns the declarations that a version was created with. */
export function declarationsOf({ declarations }: Pick<VersionRow, 'declarations'>): Declarations {
  return fromJson(declarations);
}
