import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { playedSpace } from './player.ts';
import { text, timestamp, yes } from './primitives.ts';
import { storageSlot } from './storage-mirror.ts';

/** The saves of a player (an account or a guest) in a space: a number of slots with a largest size. */
export const maxSaveSlots = 16;
export const maxSaveBytes = 256 * 1024;
/** How long saves that lost a conflict are kept, and how many of the newest per player and space. */
export const keptLoserDays = 30;
export const maxKeptLosers = 16;
/** Enough for JSON in which every character is escaped. */
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
const device = z.string().meta({ description: 'The name of the device that wrote it; may be empty.' });
const version = z
  .number()
  .int()
  .meta({ description: 'For `If-Match`. It grows with every write, and is never given twice.' });

export const saveHead = z.object({ slot, version, at, device }).meta({ id: 'SaveHead' });
export type SaveHead = z.output<typeof saveHead>;

export const listedSave = saveHead
  .extend({
    bytes: z.number().int().describe('The size of the data, in bytes.'),
    type: z.enum(['json', 'bytes']).describe('The form it was saved in.'),
  })
  .meta({ id: 'ListedSave' });
export type ListedSave = z.output<typeof listedSave>;

// Any value is JSON, because it comes from a JSON body; a recursive JSON schema breaks client generators.
const data = z.unknown().meta({ description: 'The data, if it was saved as JSON.' });
const base64 = z.string().meta({ description: 'The bytes in base64, if bytes were saved.' });

/** A save with its content: either `data` or `base64` is present. */
export const save = saveHead
  .extend({ data: data.optional(), base64: base64.optional() })
  .meta({ id: 'Save' });
export type Save = z.output<typeof save>;

/** A save in a list. It has its content if the slot was asked for by name. */
const foundSave = listedSave
  .extend({ data: data.optional(), base64: base64.optional() })
  .meta({ id: 'FoundSave' });

/** The content to write into a slot. */
export const saveBody = z
  .strictObject({
    data: data.optional(),
    base64: z
      .base64({ error: 'must be bytes in base64' })
      .max(Math.ceil(maxSaveBytes / 3) * 4 + 4, `must be at most ${maxSaveBytes} bytes`)
      .optional()
      .meta({ description: 'Bytes in base64, instead of `data`.' }),
    device: text(0, 60)
      .optional()
      .meta({ description: 'The device that writes it, for the player to recognize: «Firefox on Linux».' }),
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
    'The saves of the player in a space, without their data. With `slot`: only that save, with its data, or none.',
  query: query.extend({
    // An empty slot gives an empty list and not 404, because browsers show a 404 in their console.
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
  summary: 'The save in a slot. Its version is also the ETag.',
  example: { query: { space: 'moon-hopper' } },
  answers: { 200: save },
  errors: ['not_found', 'space_unavailable'],
});

export const putSave = defineOperation({
  ...common,
  ...ofSlot,
  id: 'putSave',
  method: 'PUT',
  summary: `Save into a slot: ${maxSaveSlots} slots of ${maxSaveBytes / 1024} KiB a player and space. \`If-Match\` names the version that this write replaces; without it the slot must be empty. If the slot has another version, the answer is \`conflict\` with \`theirs\`, the save in the slot (null: none any more), and what was sent is kept for ${keptLoserDays} days on the player's own page.`,
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
    'Empty a slot. `If-Match` names the version to delete: if the slot has another one, the answer is `conflict`, as for a write.',
  example: { query: { space: 'moon-hopper' } },
  answers: { 200: z.object({ deleted: yes }) },
  errors: ['not_found', 'space_unavailable', 'conflict', 'rate_limited'],
});
