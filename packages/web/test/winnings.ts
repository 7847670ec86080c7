import assert from 'node:assert/strict';
import type { Persona, TestService } from '../../server/test/service.ts';

const players = [
  'nova',
  'quill_87',
  'bram',
  'sora',
  'a_very_long_handle_here',
  'otis',
  'wren',
  'ida',
  'pico',
  'lumen',
  'tove',
  'zed9',
];

/** Gives a space two boards with players on them, and achievements, of which one is hidden. */
export async function seedWinnings(service: TestService, owner: Persona, slug: string): Promise<void> {
  const ok = (answer: { status: number; text(): string }) => assert.ok(answer.status < 300, answer.text());
  ok(
    await owner.call('PUT', `/api/spaces/${slug}/boards`, {
      boards: [
        { key: 'lamps', title: 'Lamps', periods: ['all', 'week', 'day'] },
        { key: 'fastest', title: 'Fastest night', metric: 'time', periods: ['all'] },
      ],
    }),
  );
  ok(
    await owner.call('PUT', `/api/spaces/${slug}/achievements`, {
      stats: [],
      achievements: [
        { key: 'first', title: 'First light', description: 'Bring one lamp home.', points: 5 },
        {
          key: 'all',
          title: 'Every window lit',
          description: 'Bring all of them home in one night.',
          points: 50,
        },
        {
          key: 'secret',
          title: 'Out with the tide',
          description: 'Let the sea win.',
          hidden: true,
          points: 10,
        },
      ],
    }),
  );
  const { secret } = (await owner.call('POST', `/api/spaces/${slug}/secret`)).json();
  await Promise.all(players.map((handle) => service.creator(handle)));
  const scores = players.flatMap((player, at) => [
    { board: 'lamps', player, score: 12_400 - at * at * 83 },
    { board: 'fastest', player, score: 61_042 + at * 7_311 },
  ]);
  const posted = await service.get(`${service.baseUrl}/api/v1/scores`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ scores }),
  });
  ok(posted);
}
