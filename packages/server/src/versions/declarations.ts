import {
  type Declarations,
  declarationNames,
  maxAchievements,
  maxBoards,
  maxStats,
} from '@spaceport/contract/declarations';
import { pathProblem } from '@spaceport/contract/paths';
import { ServiceError } from '../platform/errors.ts';

export const defaultEntry = 'index.html';

/**
 * Takes the declarations out of a create body and checks what its schema cannot. Throws `too_many` over the caps
 * and `invalid_declaration` for an entry that is no path or a trigger without its stat.
 */
export function readDeclarations(body: Declarations): Declarations {
  const declarations = Object.fromEntries(
    declarationNames.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  ) as Declarations;
  const { entry, boards, stats, achievements } = declarations;
  if (entry !== undefined) {
    const problem = pathProblem(entry);
    if (problem) throw invalidDeclaration('entry', problem);
  }
  checkCap('boards', boards, maxBoards);
  checkCap('stats', stats, maxStats);
  checkCap('achievements', achievements, maxAchievements);
  return declarations;
}

function checkCap(name: string, list: readonly unknown[] | undefined, max: number): void {
  if (list && list.length > max) {
    throw new ServiceError(
      'too_many',
      `A space may have ${max} ${name}; service.json declares ${list.length}.`,
      {
        max,
        kind: name,
      },
    );
  }
}

/** A trigger names a stat that the same service.json or the space declares. */
export function checkTriggers(
  { stats, achievements }: Declarations,
  statsOfSpace: ReadonlySet<string>,
): void {
  const known = new Set([...statsOfSpace, ...(stats ?? []).map(({ key }) => key)]);
  for (const [index, { trigger }] of (achievements ?? []).entries()) {
    if (!trigger || known.has(trigger.stat)) continue;
    throw invalidDeclaration(
      `achievements.${index}.trigger.stat`,
      `names the stat «${trigger.stat}», which is not declared`,
    );
  }
}

function invalidDeclaration(path: string, message: string): ServiceError {
  return new ServiceError('invalid_declaration', `«${path}» ${message}.`, { issues: [{ path, message }] });
}
