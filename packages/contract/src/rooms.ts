import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { playedSpace } from './player.ts';
import { roomCodeLength, roomCodeLetters, roomCodePattern, roomLimits } from './room-protocol.ts';

export const roomCode = z
  .string()
  .regex(roomCodePattern, `must be ${roomCodeLength} capital letters of ${roomCodeLetters}`)
  .meta({
    description: `The code of a room: ${roomCodeLength} capital letters of ${roomCodeLetters}.`,
  });

const entering = z
  .strictObject({
    space: playedSpace,
    how: z.enum(['create', 'join', 'quick']).meta({
      description:
        '`create`: a new room. `join`: the room of `code`, also to come back to it. `quick`: any open room with a free place, or a new one if there is none.',
    }),
    code: roomCode.optional().describe('For `join` alone.'),
    max: z
      .number()
      .int()
      .min(roomLimits.leastMembers)
      .max(roomLimits.mostMembers)
      .optional()
      .meta({
        description: `How many members a new room may have; ${roomLimits.usualMembers} if absent. Only for \`create\`.`,
      }),
    open: z
      .boolean()
      .optional()
      .describe('Whether `quick` leads others into the new room. Only for `create`.'),
  })
  .superRefine(({ how, code, max, open }, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (how === 'join' && code === undefined) issue('code', 'is needed for `join`');
    if (how !== 'join' && code !== undefined) issue('code', 'is only for `join`');
    if (how !== 'create' && max !== undefined) issue('max', 'is only for `create`');
    if (how !== 'create' && open !== undefined) issue('open', 'is only for `create`');
  });

export const enterRoom = defineOperation({
  id: 'enterRoom',
  method: 'POST',
  path: '/api/player/rooms',
  summary:
    'Get a ticket to a room of a space: a relay between 2 to 16 of its players, in a WebSocket that the ticket opens.',
  more: `The socket is opened at \`url\`, from a page of the space, with the subprotocols that the protocol of rooms names, once and within ${roomLimits.ticketMs / 1_000} seconds. To come back to the room, use \`join\` with another ticket.`,
  tag: 'Players',
  credential: 'player',
  edge: 'plain',
  body: entering,
  example: { body: { space: 'moon-hopper', how: 'quick' } },
  answers: {
    200: z.object({
      url: z.string().meta({ description: 'Where the socket is opened: ws: or wss:.' }),
      ticket: z.string().meta({ description: 'Opens one socket.' }),
      code: z.string().describe('The code of the room: others join by it.'),
      link: z.string().describe('The page of the space, with the code: others join by opening it.'),
    }),
  },
  errors: [
    'not_found',
    'space_unavailable',
    'sign_in_required',
    'banned',
    'kicked',
    'room_full',
    'room_locked',
    'rate_limited',
  ],
});

const query = z.strictObject({ space: playedSpace });
const handle = z.string().nullable();
const most = z.number().int().meta({ description: 'How many members it may have.' });

export const openRoom = z
  .object({
    code: z.string().describe('Players join by it.'),
    host: handle.meta({ description: 'The handle of its host; null for a guest.' }),
    members: z.number().int().describe('How many are in it.'),
    max: most,
  })
  .meta({ id: 'OpenRoom' });
export type OpenRoom = z.output<typeof openRoom>;

export const enteredRoom = z
  .object({
    code: z.string().describe('Players join by it.'),
    max: most,
    members: z
      .array(
        z.object({
          handle: handle.meta({ description: 'Null for a guest.' }),
          host: z.boolean().describe('Whether it is the host.'),
          you: z.boolean().describe('Whether it is the player who asks.'),
        }),
      )
      .describe('Its members, in the order in which they joined.'),
  })
  .meta({ id: 'EnteredRoom' });
export type EnteredRoom = z.output<typeof enteredRoom>;

const reading = { tag: 'Players', credential: 'player', edge: 'plain' } as const;

export const listRooms = defineOperation({
  id: 'listRooms',
  method: 'GET',
  path: '/api/player/rooms',
  summary: 'The open rooms of a space that have a free place, the fullest first, 20 at most.',
  ...reading,
  query,
  example: { query: { space: 'moon-hopper' } },
  answers: {
    200: z.object({ rooms: z.array(openRoom).describe('The fullest rooms first.') }),
  },
  errors: ['not_found', 'space_unavailable'],
});

export const readRoom = defineOperation({
  id: 'readRoom',
  method: 'GET',
  path: '/api/player/rooms/{code}',
  summary: 'Who is in a room that the player is in.',
  ...reading,
  params: z.object({ code: roomCode }),
  query,
  example: { params: { code: 'BCDFG' }, query: { space: 'moon-hopper' } },
  answers: { 200: enteredRoom },
  errors: ['not_found', 'space_unavailable', 'sign_in_required'],
});
