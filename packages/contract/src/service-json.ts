import { z } from 'zod';
import { declarationsShape, maxAchievements, maxBoards, maxStats } from './declarations.ts';
import { spaceFieldsPatchSchema } from './spaces.ts';

/** The path at which every service serves the schema of service.json. */
export const serviceJsonSchemaPath = '/schemas/service.json';

// The create body accepts more entries than a space may have, so that the service can answer `too_many`. The
// schema for editors has the real limits.
const upTo = <S extends z.ZodType>(schema: S, maxItems: number): S =>
  schema.meta({ ...schema.meta(), maxItems });

/**
 * service.json: the space that a folder belongs to, its listing fields, and the declarations, with the
 * schemas of the create body.
 */
export const serviceJsonSchema = z.strictObject({
  $schema: z.string().optional().meta({ description: 'The address of this schema, for editors.' }),
  space: z.string().max(200).optional().meta({
    description:
      'The slug of the space that is published to. The first publish writes it. Remove it to publish as a new space.',
  }),
  ...spaceFieldsPatchSchema.shape,
  ...declarationsShape,
  boards: upTo(declarationsShape.boards, maxBoards),
  stats: upTo(declarationsShape.stats, maxStats),
  achievements: upTo(declarationsShape.achievements, maxAchievements),
});
export type ServiceJson = z.output<typeof serviceJsonSchema>;

/**
 * Returns the JSON Schema for editors, in draft 7, which all editors understand.
 * @param app origin of the service that serves it
 */
export function serviceJsonSchemaText(app?: string): string {
  const { $schema, ...schema } = z.toJSONSchema(serviceJsonSchema, { target: 'draft-7', io: 'input' });
  const id = app === undefined ? {} : { $id: `${app}${serviceJsonSchemaPath}` };
  return `${JSON.stringify({ $schema, ...id, title: 'service.json of Spaceport', ...schema }, null, 2)}\n`;
}
