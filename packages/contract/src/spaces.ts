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

export const maxTags = 8;
/** Lower case, so that a tag has one spelling. */
export const tagSchema = z
  .string()
  .regex(/^[a-z0-9-]{2,24}$/u, 'must be a tag: 2 to 24 of a-z, 0-9 and -')
  .meta({ examples: ['puzzle'] });

/** The listing fields. `title`, `space_type` and `devices` are required. */
export const spaceFieldsSchema = z
  .strictObject({
    title: text(1, 80).meta({
      description: 'The name of the space. Required for a new one.',
      examples: ['Moon Hopper'],
    }),
    space_type: z
      .enum(spaceTypes)
      .meta({ description: 'What kind of thing it is. Required for a new space.' }),
    devices: z
      .array(z.enum(deviceTypes))
      .min(1, 'must name at least one device')
      .max(5)
      .refine((list) => new Set(list).size === list.length, 'must not repeat a device')
      .meta({
        description: 'What it can be used with. Required for a new space.',
        examples: [['desktop', 'mobile']],
      }),
    description: text(0, 2_000, { lineBreaks: true })
      .optional()
      .meta({ description: 'What it is, for those who look at its page.' }),
    engine: text(0, 60).optional().meta({ description: 'What it is made with: Godot, Unity, three.js, …' }),
    ai_tools: names.optional().meta({ description: 'AI tools that helped to make it.' }),
    models: names.optional().meta({ description: 'AI models that helped to make it.' }),
    tags: z
      .array(tagSchema)
      .max(maxTags, `must have at most ${maxTags} tags`)
      .refine((list) => new Set(list).size === list.length, 'must not repeat a tag')
      .optional()
      .meta({
        description:
          'Words to find it by, such as `puzzle` or `two-players`: the gallery lists spaces by tag.',
        examples: [['puzzle', 'two-players']],
      }),
    how_made: text(0, 4_000, { lineBreaks: true })
      .optional()
      .meta({ description: 'How it was made, for those who want to know.' }),
    source_url: webUrl.optional().meta({ description: 'Where its source can be read.' }),
  })
  .meta({
    id: 'spaceFieldsSchema',
    description: 'What the gallery and the page of the space show about it.',
  });
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
      .nullable()
      .meta({ description: 'The colour of the page, as `#rrggbb`; null for the usual one.' }),
    links: z
      .array(
        z.strictObject({
          label: text(1, 40).meta({ description: 'The text of the link.' }),
          url: webUrl.meta({ description: 'The address of the link.' }),
        }),
      )
      .max(5, 'must have at most 5 links')
      .meta({ description: 'Links on the page, at most five.' }),
    show_boards: z.boolean().meta({ description: 'Whether the page shows the boards; true unless changed.' }),
    show_how_made: z.boolean().meta({
      description: 'Whether the page shows `how_made`, and others may read it; true unless changed.',
    }),
    unlisted: z.boolean().meta({
      description:
        'Whether the space is left out of the gallery and of search engines; false unless changed.',
    }),
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

/** For PATCH: any of the fields. Null removes an optional one. `page` may have any of its settings. */
export const spacePatchSchema = spaceFieldsPatchSchema
  .extend({
    description: spaceFieldsSchema.shape.description.nullable(),
    engine: spaceFieldsSchema.shape.engine.nullable(),
    how_made: spaceFieldsSchema.shape.how_made.nullable(),
    source_url: spaceFieldsSchema.shape.source_url.nullable(),
    page: pageSettingsSchema
      .partial()
      .optional()
      .meta({ description: 'Settings of the page; the others stay.' }),
  })
  .meta({ id: 'SpacePatch' });
export type SpacePatch = z.output<typeof spacePatchSchema>;

/** The size of a picture. */
export const pixels = {
  width: z.number().int().meta({ description: 'In pixels.' }),
  height: z.number().int().meta({ description: 'In pixels.' }),
};

export const clip = z
  .object({
    url: z.string().meta({ description: 'Where the picture is.' }),
    ...pixels,
    take: z.number().int().meta({ description: 'Its number: each picture of a space has the next one.' }),
    taken_at: timestamp.meta({ description: 'When it was taken.' }),
  })
  .meta({ id: 'Clip' });
export type Clip = z.output<typeof clip>;

export const cover = z
  .object({
    url: z.string().meta({ description: 'Where the picture is.' }),
    ...pixels,
    set_at: timestamp.meta({ description: 'When its owner chose it.' }),
  })
  .meta({ id: 'Cover' });
export type Cover = z.output<typeof cover>;

/** A space as its creator reads it. Fields that were never set are null, or an empty list. */
export const space = z
  .object({
    slug: z.string().meta({ description: 'The name of the space in addresses and calls.' }),
    url: z.string().nullable().meta({
      description:
        'Where the space itself runs: its own origin, or for a listed one its creator’s address. Null if no version is live.',
    }),
    service_url: z.string().meta({ description: 'Its page on the service.' }),
    title: z.string().meta({ description: 'The name of the space.' }),
    space_type: z.enum(spaceTypes).meta({ description: 'What kind of thing it is.' }),
    devices: z.array(z.enum(deviceTypes)).meta({ description: 'What it can be used with.' }),
    description: z.string().nullable().meta({ description: 'What it is; null if it does not say.' }),
    engine: z.string().nullable().meta({ description: 'What it is made with; null if it does not say.' }),
    ai_tools: z.array(z.string()).meta({ description: 'AI tools that helped to make it.' }),
    models: z.array(z.string()).meta({ description: 'AI models that helped to make it.' }),
    tags: z
      .array(z.string())
      .meta({ description: 'Words to find it by: `/?tag=` lists the spaces with a tag.' }),
    how_made: z.string().nullable().meta({ description: 'How it was made; null if it does not say.' }),
    source_url: z.string().nullable().meta({ description: 'Where its source can be read, or null.' }),
    owner: z.string().nullable().meta({ description: "The owner's handle." }),
    claimed: z.boolean().meta({ description: 'Whether its owner has shown that it is theirs.' }),
    hosted: z
      .boolean()
      .meta({ description: 'Whether its files are here; false for a listed page that runs elsewhere.' }),
    state: z.enum(spaceStates).meta({
      description:
        '`listed`, `unlisted`, `offline` by its owner; `held`, `hidden` or `removed` by operators; `deleted`, for as long as it can be restored.',
    }),
    clip: clip
      .nullable()
      .meta({ description: 'The picture that the service took last; null before the first.' }),
    cover: cover
      .nullable()
      .meta({ description: "The owner's own picture. If there is one, it is shown instead of the clip." }),
    live_version: z.number().int().nullable().meta({
      description:
        'The number of the version that is served now; after a move to a live URL, of the last version that was served.',
    }),
    page: pageSettingsSchema.meta({ description: 'How its page looks.' }),
    created_at: timestamp.meta({ description: 'When it was made.' }),
    updated_at: timestamp.meta({ description: 'When it last changed.' }),
  })
  .meta({ id: 'Space' });
export type Space = z.output<typeof space>;
