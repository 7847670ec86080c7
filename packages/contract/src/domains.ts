import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { slugParameter, timestamp } from './primitives.ts';

/** An own host name for a space. */
const params = z.object({ slug: slugParameter });
const common = { tag: 'Domains', credential: 'token', scope: 'publish', edge: 'plain' } as const;

export const domain = z
  .object({
    host: z.string().describe('In lower case, IDN in its ASCII form.'),
    state: z.enum(['waiting', 'live', 'failed']).meta({
      description:
        '`waiting` for its records, for 7 days; `live`: the space is served there; `failed`: the records did not appear, set the host again.',
    }),
    since: timestamp.describe('When it entered this state.'),
    looking: z.boolean().describe('Whether a check of its records is about to run.'),
    records: z
      .array(
        z.object({
          type: z.enum(['TXT', 'CNAME']).describe('The type of the record.'),
          name: z.string().describe('The name of the record.'),
          value: z.string().describe('The value of the record.'),
        }),
      )
      .meta({
        description:
          'The DNS records to set: TXT proves who owns the host and has to stay, CNAME points the host to the space. If the top of a zone takes no CNAME, use ALIAS or ANAME.',
      }),
    reason: z.string().optional().describe('What was missing at the last check.'),
  })
  .meta({ id: 'Domain' });
export type Domain = z.output<typeof domain>;

export const readDomain = defineOperation({
  ...common,
  id: 'readDomain',
  method: 'GET',
  path: '/api/spaces/{slug}/domain',
  summary: 'The host name of a space, and what is missing in its DNS.',
  params,
  answers: { 200: domain },
  errors: ['not_found'],
});

export const putDomain = defineOperation({
  ...common,
  id: 'putDomain',
  method: 'PUT',
  path: '/api/spaces/{slug}/domain',
  summary: 'Serve a space at your own host name too, once its DNS records are set.',
  more: 'A host serves one space: the one whose records prove it. The records are checked now and every ten minutes for 7 days, and every six hours while the host is live; after a day without them the host waits again, and a mail says so before and then. Send the same host again to check again. 409 `conflict`: the service offers no own host names, or the space runs elsewhere. `held`, `removed`: the space is off the service; its host name stays.',
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
  summary: 'Stop serving a space at its host name.',
  params,
  answers: { 200: z.object({ deleted: z.literal(true).describe('It is gone.') }) },
  errors: ['not_found'],
});
