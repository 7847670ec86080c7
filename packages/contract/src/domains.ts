import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { slugParameter, timestamp } from './primitives.ts';

/** An own host name for a space (contract §11). */
const params = z.object({ slug: slugParameter });
const common = { tag: 'Domains', credential: 'token', scope: 'publish', edge: 'plain' } as const;

export const domain = z
  .object({
    host: z.string().describe('In lower case, IDN in its ASCII form.'),
    state: z.enum(['waiting', 'live', 'failed']).meta({
      description:
        '`waiting` for its records, for 7 days; `live`: the space is served there; `failed`: they did not come, write it again.',
    }),
    since: timestamp.describe('When it came to be in this state.'),
    looking: z.boolean().describe('Whether its records are about to be looked at.'),
    records: z
      .array(
        z.object({
          type: z.enum(['TXT', 'CNAME']).describe('What kind of record.'),
          name: z.string().describe('Where it stands.'),
          value: z.string().describe('What it says.'),
        }),
      )
      .meta({
        description:
          'What to write into the DNS: TXT proves whose it is and has to stay, CNAME leads it to the space. Where a zone takes no CNAME at its top, ALIAS or ANAME does.',
      }),
    reason: z.string().optional().describe('What is lacking, as it was last seen.'),
  })
  .meta({ id: 'Domain' });
export type Domain = z.output<typeof domain>;

export const readDomain = defineOperation({
  ...common,
  id: 'readDomain',
  method: 'GET',
  path: '/api/spaces/{slug}/domain',
  summary: 'The host name of a space, and what its DNS lacks.',
  params,
  answers: { 200: domain },
  errors: ['not_found'],
});

export const putDomain = defineOperation({
  ...common,
  id: 'putDomain',
  method: 'PUT',
  path: '/api/spaces/{slug}/domain',
  summary: 'Serve a space at a host name of your own too, once its records are there.',
  more: 'One host, one space: whoever proves it has it. It is looked at now and every ten minutes for 7 days, and while it is live every six hours; without its records for a day it waits again. The same once more is looked at again. 409 `conflict` where the service has none, or the space runs elsewhere; `held` and `removed` while it is off the service: what it had stays.',
  params,
  body: z.strictObject({
    host: z.string().min(1, 'must not be empty').max(300).meta({
      description: 'A host name, such as games.example.org.',
    }),
  }),
  example: { body: { host: 'games.example.org' } },
  answers: { 200: domain },
  errors: ['not_found', 'conflict', 'held', 'removed', 'rate_limited'],
});

export const deleteDomain = defineOperation({
  ...common,
  id: 'deleteDomain',
  method: 'DELETE',
  path: '/api/spaces/{slug}/domain',
  summary: 'Serve a space at its host name no longer.',
  params,
  answers: { 200: z.object({ deleted: z.literal(true).describe('It is gone.') }) },
  errors: ['not_found'],
});
