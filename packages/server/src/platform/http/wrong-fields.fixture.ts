import { fileEntries, listing, smallGame } from '../../../test/files.ts';

type Headers = Record<string, string>;
export type Call = readonly [method: string, path: string, body?: unknown, headers?: Headers];
export interface Row {
  readonly is: string;
  readonly wrong: Call;
  readonly code: string;
  /** What `next` must match. */
  readonly next: RegExp;
  /** The call of somebody who does what `next` says. */
  readonly mended: Call;
}

/** The space and version of the calls. */
export interface Place {
  readonly slug: string;
  readonly versionId: string;
  readonly secret: string;
}

const files = fileEntries(smallGame);
const create = { fields: { ...listing, title: 'Another one' }, files };
const hosting = '/api/v1/hosting';
const fieldsAt = (operation: string) => new RegExp(`/docs/api/[a-z-]+/${operation}\\.md`, 'u');

/** Bodies with a wrong field: `next` leads to the page that describes it. */
export function wrongFields({ slug, versionId }: Place): Row[] {
  return (
    [
      [
        'POST',
        `${hosting}/versions`,
        'createVersion',
        'invalid_fields',
        { ...create, fields: { ...listing, devices: 'desktop' } },
        create,
      ],
      [
        'POST',
        `${hosting}/versions`,
        'createVersion',
        'invalid_fields',
        { ...create, fields: { ...listing, space_type: 'rpg' } },
        create,
      ],
      ['POST', `${hosting}/versions`, 'createVersion', 'invalid_request', { ...create, files: {} }, create],
      [
        'POST',
        `${hosting}/versions`,
        'createVersion',
        'invalid_request',
        { ...create, title: 'Moon' },
        create,
      ],
      ['POST', `${hosting}/versions`, 'createVersion', 'invalid_request', { fields: listing }, create],
      [
        'POST',
        `${hosting}/versions`,
        'createVersion',
        'invalid_declaration',
        { ...create, spa: 'true' },
        { ...create, spa: true },
      ],
      [
        'POST',
        `${hosting}/versions`,
        'createVersion',
        'invalid_declaration',
        { ...create, start: 'now' },
        { ...create, start: 'click' },
      ],
      [
        'POST',
        `${hosting}/versions`,
        'createVersion',
        'invalid_declaration',
        { ...create, boards: [{ key: 'A' }] },
        { ...create, boards: [{ key: 'a' }] },
      ],
      [
        'POST',
        `${hosting}/versions`,
        'createVersion',
        'invalid_declaration',
        { ...create, boards: [{ key: 'a', sort: 'up' }] },
        { ...create, boards: [{ key: 'a', sort: 'asc' }] },
      ],
      [
        'POST',
        `${hosting}/versions`,
        'createVersion',
        'invalid_declaration',
        { ...create, achievements: [{ key: 'a', trigger: 'coins>=3' }] },
        {
          ...create,
          stats: [{ key: 'coins' }],
          achievements: [{ key: 'a', trigger: { stat: 'coins', atLeast: 3 } }],
        },
      ],
      [
        'POST',
        `${hosting}/versions/${versionId}/finish`,
        'finishVersion',
        'invalid_request',
        { preview: 'true' },
        { preview: true },
      ],
      [
        'POST',
        `${hosting}/spaces/${slug}/rollback`,
        'rollback',
        'invalid_request',
        { version: 'ver_1' },
        { version: 1 },
      ],
      [
        'POST',
        `${hosting}/spaces/${slug}/reset`,
        'resetSandbox',
        'invalid_request',
        { categories: ['all'] },
        { categories: ['scores'] },
      ],
      ['PATCH', `/api/spaces/${slug}`, 'changeSpace', 'invalid', { name: 'Moon' }, { title: 'Moon' }],
      [
        'PATCH',
        `/api/spaces/${slug}`,
        'changeSpace',
        'invalid',
        { page: { accent: 'green' } },
        { page: { accent: '#00aa44' } },
      ],
      ['PATCH', `/api/spaces/${slug}`, 'changeSpace', 'invalid', { devices: [] }, { devices: ['desktop'] }],
      [
        'PUT',
        `/api/spaces/${slug}/boards`,
        'putBoards',
        'invalid',
        [{ key: 'high' }],
        { boards: [{ key: 'high' }] },
      ],
      [
        'PUT',
        `/api/spaces/${slug}/boards`,
        'putBoards',
        'invalid',
        { boards: [{ key: 'high', decimals: 'two' }] },
        { boards: [{ key: 'high', decimals: 2 }] },
      ],
      [
        'PUT',
        `/api/spaces/${slug}/boards`,
        'putBoards',
        'invalid',
        { boards: [{ key: 'high', periods: ['year'] }] },
        { boards: [{ key: 'high', periods: ['month'] }] },
      ],
      [
        'PUT',
        `/api/spaces/${slug}/boards`,
        'putBoards',
        'invalid',
        { boards: [{ key: 'high', min: 5, max: 1 }] },
        { boards: [{ key: 'high', min: 1, max: 5 }] },
      ],
      [
        'PUT',
        `/api/spaces/${slug}/achievements`,
        'putAchievements',
        'invalid',
        { stats: [{ key: 'coins', op: 'plus' }] },
        { stats: [{ key: 'coins', op: 'add' }] },
      ],
      [
        'PUT',
        `/api/spaces/${slug}/achievements`,
        'putAchievements',
        'invalid',
        { achievements: [{ key: 'first-win', points: 5_000 }] },
        { achievements: [{ key: 'first-win', points: 50 }] },
      ],
      ['POST', `/api/spaces/${slug}/bans`, 'banPlayer', 'invalid', { player: 'grace' }, { handle: 'grace' }],
      ['DELETE', `/api/spaces/${slug}/bans`, 'liftBan', 'invalid', { handle: 'g r' }, { handle: 'grace' }],
      [
        'DELETE',
        `/api/spaces/${slug}/scores`,
        'deleteSubmissions',
        'invalid',
        {},
        { player: 'grace', dry_run: true },
      ],
      ['GET', '/api/spaces?limit=1e3', 'mySpaces', 'invalid', undefined, ['GET', '/api/spaces?limit=100']],
      [
        'GET',
        `${hosting}/versions/${versionId}?wait=abc`,
        'readVersion',
        'invalid_request',
        undefined,
        ['GET', `${hosting}/versions/${versionId}?wait=0`],
      ],
      ['POST', '/api/players/token', 'issuePlayerToken', 'invalid', { slug }, { space: slug }],
    ] as const
  ).map(([method, path, operation, code, wrong, right]) => ({
    is: `${operation}: ${JSON.stringify(wrong) ?? path}`.slice(0, 90),
    wrong: [method, path, wrong] as Call,
    code,
    next: fieldsAt(operation),
    mended: Array.isArray(right) ? (right as unknown as Call) : ([method, path, right] as Call),
  }));
}
