import { z } from 'zod';
import { mySpace, mySpaces } from '../listing.ts';
import { nextStep } from './checked.ts';
import { defineTool } from './tool.ts';

const shownSpace = mySpace.pick({
  slug: true,
  title: true,
  url: true,
  service_url: true,
  space_type: true,
  devices: true,
  hosted: true,
  state: true,
  live_version: true,
  plays: true,
  updated_at: true,
});

export const spacesTool = defineTool({
  name: 'spaces',
  title: 'Your spaces',
  description:
    'The spaces of the account, newest first: slug, title, address, state and which version is live.',
  input: z.strictObject({
    cursor: z.string().max(200).optional().meta({ description: '`cursor` of the previous answer.' }),
  }),
  output: z.object({
    spaces: z.array(shownSpace),
    cursor: z.string().nullable(),
    next: nextStep,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: {},
  scopeOf: () => 'publish',
  async run({ cursor }, host) {
    const page = await host.call(mySpaces, { query: cursor === undefined ? {} : { cursor } });
    const spaces = page.spaces.map((space) => shownSpace.parse(space));
    return { spaces, cursor: page.next, next: nextOf(spaces.length, page.next) };
  },
});

function nextOf(count: number, cursor: string | null): string {
  if (count === 0) return 'There is no space yet: publish makes the first.';
  if (cursor !== null) return `There are more: call spaces with cursor: ${JSON.stringify(cursor)}.`;
  return 'publish with space: "<slug>" makes the next version of one; versions and boards tell more about it.';
}
