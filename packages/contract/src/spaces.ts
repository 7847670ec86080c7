import { z } from 'zod';
import { text, timestamp, webUrl } from './primitives.ts';

export const spaceTypes = [
  'game',
  'app',
  'tool',
  'toy',
  'art',
  'story',
  'music',
  'learning',
  'other',
] as const;
export type SpaceType = (typeof spaceTypes)[number];
export const deviceTypes = ['desktop', 'mobile', 'tablet', 'gamepad', 'vr'] as const;
export type DeviceType = (typeof deviceTypes)[number];
export const spaceStates = ['listed', 'unlisted', 'offline', 'held', 'hidden', 'removed', 'deleted'] as const;
export type SpaceState = (typeof spaceStates)[number];

const names = z
  .array(text(1, 60))
  .max(10, 'must have at most 10 entries')
  .refine((list) => new Set(list).size === list.length, 'must not repeat an entry');

/** The listing fields (interface, "Space"; contract §3). `title`, `space_type` and `devices` are required. */
export const spaceFieldsSchema = z
  .strictObject({
    title: text(1, 80),
    space_type: z.enum(spaceTypes),
    devices: z
      .array(z.enum(deviceTypes))
      .min(1, 'must name at least one device')
      .max(5)
      .refine((list) => new Set(list).size === list.length, 'must not repeat a device'),
    description: text(0, 2_000, { lineBreaks: true }).optional(),
    engine: text(0, 60).optional(),
    ai_tools: names.optional(),
    models: names.optional(),
    how_made: text(0, 4_000, { lineBreaks: true }).optional(),
    source_url: webUrl.optional(),
  })
  .meta({ id: 'spaceFieldsSchema' });
export type SpaceFields = z.output<typeof spaceFieldsSchema>;
export const spaceFieldNames = Object.keys(spaceFieldsSchema.shape) as (keyof SpaceFields)[];

/** For an existing space: any of the fields. */
export const spaceFieldsPatchSchema = spaceFieldsSchema.partial();
export type SpaceFieldsPatch = z.output<typeof spaceFieldsPatchSchema>;
export const requiredSpaceFields = ['title', 'space_type', 'devices'] as const;

export const pageSettingsSchema = z
  .strictObject({
    accent: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/u, 'must be a colour like #1a2b3c')
      .nullable(),
    links: z.array(z.strictObject({ label: text(1, 40), url: webUrl })).max(5, 'must have at most 5 links'),
    show_boards: z.boolean(),
    show_how_made: z.boolean(),
    unlisted: z.boolean(),
  })
  .meta({ id: 'PageSettings' });
export type PageSettings = z.output<typeof pageSettingsSchema>;

export const defaultPageSettings: PageSettings = {
  accent: null,
  links: [],
  show_boards: true,
  show_how_made: true,
  unlisted: false,
};

/** For PATCH: any field; null takes away one that is not required. `page` takes any of its settings. */
export const spacePatchSchema = spaceFieldsPatchSchema
  .extend({
    description: spaceFieldsSchema.shape.description.nullable(),
    engine: spaceFieldsSchema.shape.engine.nullable(),
    how_made: spaceFieldsSchema.shape.how_made.nullable(),
    source_url: spaceFieldsSchema.shape.source_url.nullable(),
    page: pageSettingsSchema.partial().optional(),
  })
  .meta({ id: 'SpacePatch' });
export type SpacePatch = z.output<typeof spacePatchSchema>;

export const clip = z
  .object({
    url: z.string(),
    width: z.number().int(),
    height: z.number().int(),
    take: z.number().int(),
    taken_at: timestamp,
  })
  .meta({ id: 'Clip' });
export type Clip = z.output<typeof clip>;

export const cover = z
  .object({
    url: z.string(),
    width: z.number().int(),
    height: z.number().int(),
    set_at: timestamp,
  })
  .meta({ id: 'Cover' });
export type Cover = z.output<typeof cover>;

/** A space as its creator reads it. Fields that were never given are null, or an empty list. */
export const space = z
  .object({
    slug: z.string(),
    url: z.string().nullable(),
    service_url: z.string(),
    title: z.string(),
    space_type: z.enum(spaceTypes),
    devices: z.array(z.enum(deviceTypes)),
    description: z.string().nullable(),
    engine: z.string().nullable(),
    ai_tools: z.array(z.string()),
    models: z.array(z.string()),
    how_made: z.string().nullable(),
    source_url: z.string().nullable(),
    owner: z.string().nullable().meta({ description: "The owner's handle." }),
    claimed: z.boolean(),
    hosted: z.boolean(),
    state: z.enum(spaceStates),
    clip: clip.nullable(),
    cover: cover
      .nullable()
      .meta({ description: "The owner's own picture: where there is one it stands in place of the clip." }),
    live_version: z.number().int().nullable().meta({
      description:
        'The number of the version that is served now. After a move to a live URL: of the last one that was.',
    }),
    page: pageSettingsSchema,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Space' });
export type Space = z.output<typeof space>;
