import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { playedSpace } from './player.ts';
import { text, timestamp, yes } from './primitives.ts';
import { storageSlot } from './storage-mirror.ts';

/** What a player has saved in a space: so many slots of so many bytes, of an account or of a guest. */
export const maxSaveSlots = 16;
export const maxSaveBytes = 256 * 1024;
/** What lost a conflict is kept so long, and the newest so many of a player in a space. */
export const keptLoserDays = 30;
export const maxKeptLosers = 16;
/** JSON whose every character is escaped. */
const maxSaveBodyBytes = 1024 * 1024;

export const saveSlot = z
  .string()
  .regex(
    /^(?:[a-z0-9][a-z0-9_-]{0,39}|~storage)$/u,
    'must be 1 to 40 of a-z, 0-9, _ and -, starting with a letter or a digit',
  )
  .meta({
    description: `The name of a slot. \`${storageSlot}\` is the page's own, for the space's \`localStorage\`.`,
  });

const slot = z.string().describe('The name of the slot.');
const at = timestamp.meta({ description: 'When it was written.' });
const device = z
  .string()
  .meta({ description: 'What wrote it, as it calls itself; empty where it did not say.' });
const version = z
  .number()
  .int()
  .meta({ description: 'For `If-Match`. It grows with every write, and is never given twice.' });

export const saveHead = z.object({ slot, version, at, device }).meta({ id: 'SaveHead' });
export type SaveHead = z.output<typeof saveHead>;

export const listedSave = saveHead
  .extend({
    bytes: z.number().int().describe('How long it is.'),
    type: z.enum(['json', 'bytes']).describe('What it was saved as.'),
  })
  .meta({ id: 'ListedSave' });
export type ListedSave = z.output<typeof listedSave>;

// Any value, for it comes out of a JSON body; the recursive schema of JSON breaks generators of clients.
const data = z.unknown().meta({ description: 'What was saved as JSON.' });
const base64 = z.string().meta({ description: 'Bytes that were saved, in the place of `data`.' });

/** With what was saved: one of `data` and `base64` is there. */
export const save = saveHead
  .extend({ data: data.optional(), base64: base64.optional() })
  .meta({ id: 'Save' });
export type Save = z.output<typeof save>;

/** One of a list: with what was saved where a slot is asked for by name. */
const foundSave = listedSave
  .extend({ data: data.optional(), base64: base64.optional() })
  .meta({ id: 'FoundSave' });

/** What goes into a slot. */
export const saveBody = z
  .strictObject({
    data: data.optional(),
    base64: z
      .base64({ error: 'must be bytes in base64' })
      .max(Math.ceil(maxSaveBytes / 3) * 4 + 4, `must be at most ${maxSaveBytes} bytes`)
      .optional()
      .meta({ description: 'Bytes, in the place of `data`.' }),
    device: text(0, 60)
      .optional()
      .meta({ description: 'What writes it, for the player to tell: «Firefox on Linux».' }),
  })
  .refine((body) => (body.data === undefined) !== (body.base64 === undefined), {
    message: 'must have one of `data` and `base64`',
    path: ['data'],
  })
  .meta({ id: 'SaveBody' });
export type SaveBody = z.output<typeof saveBody>;

const common = { tag: 'Saves', credential: 'player', edge: 'plain' } as const;
const query = z.strictObject({ space: playedSpace });
const ofSlot = { path: '/api/player/saves/{slot}', params: z.object({ slot: saveSlot }), query } as const;

export const readSaves = defineOperation({
  ...common,
  id: 'readSaves',
  method: 'GET',
  path: '/api/player/saves',
  summary:
    'What the player has saved in a space, without the data; with `slot` what is in that one, with its data, or nothing.',
  query: query.extend({
    // Whether anything was saved is no error, as it would be for the slot itself: browsers show those in their console.
    slot: saveSlot.optional(),
  }),
  example: { query: { space: 'moon-hopper' } },
  answers: { 200: z.object({ saves: z.array(foundSave).describe('By slot.') }) },
  errors: ['not_found', 'space_unavailable'],
});

export const readSave = defineOperation({
  ...common,
  ...ofSlot,
  id: 'readSave',
  method: 'GET',
  summary: 'What the player has saved in a slot; its version is the ETag too.',
  example: { query: { space: 'moon-hopper' } },
  answers: { 200: save },
  errors: ['not_found', 'space_unavailable'],
});

export const putSave = defineOperation({
  ...common,
  ...ofSlot,
  id: 'putSave',
  method: 'PUT',
  summary: `Save into a slot: ${maxSaveSlots} slots of ${maxSaveBytes / 1024} KiB a player and space. \`If-Match\` names the version that it goes out from; without one the slot has to be empty. Where another one stands there it is a \`conflict\`, \`theirs\` is what stands (null: nothing any more), and what was sent is kept for ${keptLoserDays} days on the player's own page.`,
  body: saveBody,
  maxBodyBytes: maxSaveBodyBytes,
  example: { body: { data: { level: 3 }, device: 'Firefox on Linux' }, query: { space: 'moon-hopper' } },
  answers: { 200: saveHead },
  errors: ['not_found', 'space_unavailable', 'conflict', 'too_large', 'rate_limited'],
});

export const deleteSave = defineOperation({
  ...common,
  ...ofSlot,
  id: 'deleteSave',
  method: 'DELETE',
  summary:
    'Empty a slot. `If-Match` names the version that goes: where another one stands there it is a `conflict`, as in a write.',
  example: { query: { space: 'moon-hopper' } },
  answers: { 200: z.object({ deleted: yes }) },
  errors: ['not_found', 'space_unavailable', 'conflict', 'rate_limited'],
});
