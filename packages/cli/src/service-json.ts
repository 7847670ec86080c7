import { declarationsShape, maxAchievements, maxBoards, maxStats } from '@spaceport/contract/declarations';
import { spaceFieldsSchema } from '@spaceport/contract/spaces';
import { z } from 'zod';

const fields = spaceFieldsSchema.shape;
const about = <S extends z.ZodType>(schema: S, description: string, more: { maxItems?: number } = {}): S =>
  schema.meta({ description, ...more });

/**
 * service.json: which space a folder belongs to, its listing fields, and the declarations. The same schemas as
 * the service's, with what each field is for, as the file has no other place for comments.
 */
export const serviceJsonSchema = z.strictObject({
  $schema: about(z.string().optional(), 'Where an editor finds this description.'),
  space: about(
    z.string().max(200).optional(),
    'The slug of the space that is published to. The first publish writes it. Remove it to publish as a new space.',
  ),
  title: about(
    fields.title.optional(),
    'The name of the space, 1 to 80 characters. Required for a new space.',
  ),
  space_type: about(fields.space_type.optional(), 'What kind of thing it is. Required for a new space.'),
  devices: about(fields.devices.optional(), 'What it can be used with. Required for a new space.'),
  description: about(fields.description, 'What it is, in up to 2,000 characters.'),
  engine: about(fields.engine, 'What it is made with: Godot, Unity, three.js, …'),
  ai_tools: about(fields.ai_tools, 'AI tools that helped to make it.'),
  models: about(fields.models, 'AI models that helped to make it.'),
  how_made: about(fields.how_made, 'How it was made, in up to 4,000 characters.'),
  source_url: about(fields.source_url, 'Where its source can be read.'),
  entry: about(declarationsShape.entry, 'The page that opens. Default: index.html'),
  spa: about(declarationsShape.spa, 'Unknown paths without a file extension open the entry. Default: false'),
  sdk: about(declarationsShape.sdk, 'The player SDK is loaded into the entry page. Default: true'),
  start: about(
    declarationsShape.start,
    'auto: it starts when the page opens; click: when the player clicks. Default: auto',
  ),
  toasts: about(
    declarationsShape.toasts,
    'The page of the service shows unlocked achievements. Default: true',
  ),
  // The create body takes more of these than a space may have, so that the service can say which are too many (its
  // `too_many`); an editor is told what a space may have.
  boards: about(declarationsShape.boards, 'Leaderboards; up to 10.', { maxItems: maxBoards }),
  stats: about(
    declarationsShape.stats,
    'Numbers kept for each player, which achievements look at; up to 50.',
    { maxItems: maxStats },
  ),
  achievements: about(
    declarationsShape.achievements,
    'Achievements; up to 50. One with a trigger unlocks when its stat reaches atLeast.',
    { maxItems: maxAchievements },
  ),
});
export type ServiceJson = z.output<typeof serviceJsonSchema>;

/** The JSON Schema for editors; draft 7, which all of them understand. */
export function serviceJsonSchemaText(): string {
  const schema = z.toJSONSchema(serviceJsonSchema, { target: 'draft-7', io: 'input' });
  return `${JSON.stringify({ title: 'service.json of Spaceport', ...schema }, null, 2)}\n`;
}
