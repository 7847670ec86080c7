import { fileEntries, listing, smallGame } from '../../../test/files.ts';
import type { Call, Place, Row } from './wrong-fields.fixture.ts';

const files = fileEntries(smallGame);
const create = { fields: { ...listing, title: 'Another one' }, files };
const hosting = '/api/v1/hosting';
const fieldsAt = (operation: string) => new RegExp(`/docs/api/[a-z-]+/${operation}\\.md`, 'u');

export function otherMistakes({ slug, secret }: Place): Row[] {
  const bySecret = { authorization: `Bearer ${secret}` };
  const nobody = { authorization: 'Bearer sp_token_wrong' };
  const post = (path: string, body: unknown): Call => ['POST', path, body, bySecret];
  return [
    {
      is: 'a token that is wrong',
      wrong: ['GET', '/api/spaces', undefined, nobody],
      code: 'unauthorized',
      next: /POST \S+\/api\/agent\/login/u,
      mended: ['POST', '/api/agent/login', {}, {}],
    },
    {
      is: 'no secret',
      wrong: ['POST', '/api/v1/scores', { board: 'high', player: 'ada', score: 1 }, nobody],
      code: 'unauthorized',
      next: /POST \S+\/secret/u,
      mended: post('/api/v1/scores', { board: 'high', player: 'ada', score: 1 }),
    },
    {
      is: 'no fields of a new space',
      wrong: ['POST', `${hosting}/versions`, { files }],
      code: 'missing_fields',
      next: /"title"/u,
      mended: ['POST', `${hosting}/versions`, create],
    },
    {
      is: 'a space that is not there',
      wrong: ['GET', '/api/spaces/nowhere'],
      code: 'not_found',
      next: /GET \S+\/api\/spaces /u,
      mended: ['GET', '/api/spaces'],
    },
    {
      is: 'a space of nobody to publish to',
      wrong: ['POST', `${hosting}/versions`, { space: 'nowhere', files }],
      code: 'not_found',
      next: /GET \S+/u,
      mended: ['GET', '/api/spaces'],
    },
    {
      is: 'a version that is not there',
      wrong: ['GET', `${hosting}/versions/ver_nowhere`],
      code: 'not_found',
      next: /GET \S+\/versions/u,
      mended: ['GET', `${hosting}/spaces/${slug}/versions`],
    },
    {
      is: 'a path that is none',
      wrong: ['GET', '/api/space'],
      code: 'not_found',
      next: /\/api\/openapi\.json/u,
      mended: ['GET', '/api/openapi.json'],
    },
    {
      is: 'a board that is not declared',
      wrong: post('/api/v1/scores', { board: 'low', player: 'ada', score: 1 }),
      code: 'not_found',
      next: /GET \S+\/boards/u,
      mended: ['GET', `/api/spaces/${slug}/boards`],
    },
    {
      is: 'a player that is not there',
      wrong: post('/api/v1/scores', { board: 'high', player: 'nobody_here', score: 1 }),
      code: 'no_such_player',
      next: /handle/u,
      mended: post('/api/v1/scores', { board: 'high', player: 'grace', score: 1 }),
    },
    {
      is: 'a score that is a text',
      wrong: post('/api/v1/scores', { board: 'high', player: 'ada', score: '4' }),
      code: 'invalid',
      next: fieldsAt('postScores'),
      mended: post('/api/v1/scores', { board: 'high', player: 'ada', score: 4 }),
    },
    {
      is: 'no player',
      wrong: post('/api/v1/stats', { stat: 'coins', value: 1 }),
      code: 'invalid',
      next: fieldsAt('postStats'),
      mended: post('/api/v1/stats', { stat: 'coins', value: 1, player: 'ada' }),
    },
    {
      is: 'a handle by its wrong name',
      wrong: post('/api/v1/achievements', { achievement: 'first-win', handle: 'ada' }),
      code: 'invalid',
      next: fieldsAt('unlockAchievement'),
      mended: post('/api/v1/achievements', { achievement: 'first-win', player: 'ada' }),
    },
    {
      is: 'a trigger of a stat that is not declared',
      wrong: [
        'PUT',
        `/api/spaces/${slug}/achievements`,
        { achievements: [{ key: 'a', trigger: { stat: 'gems', atLeast: 1 } }] },
      ],
      code: 'unknown_stat',
      next: /«stats»/u,
      mended: [
        'PUT',
        `/api/spaces/${slug}/achievements`,
        { stats: [{ key: 'gems' }], achievements: [{ key: 'a', trigger: { stat: 'gems', atLeast: 1 } }] },
      ],
    },
    {
      is: 'a stale ETag',
      wrong: ['PATCH', `/api/spaces/${slug}`, { title: 'Moon' }, { 'if-match': '"1"' }],
      code: 'precondition_failed',
      next: /GET \S+\/api\/spaces/u,
      mended: ['GET', `/api/spaces/${slug}`],
    },
  ];
}
