import { z } from 'zod';
import { defineOperation } from './operation.ts';
import { createdAt, slugParameter, timestamp, webUrl } from './primitives.ts';
import { keptAnswerBytes, keptDeliveries, maxWebhooks, testEvent, webhookEvents } from './webhook-events.ts';

/** The addresses to which a space's events are sent, signed according to Standard Webhooks. */
const tag = 'Webhooks';

const spaceParams = z.object({ slug: slugParameter });
const id = z.string().max(64);
const webhookParams = z.object({
  slug: slugParameter,
  id: id.meta({ description: '`id` of a webhook.' }),
});
const deliveryParams = webhookParams.extend({
  delivery: id.meta({ description: '`id` of a delivery.' }),
});

const events = z
  .array(z.enum(webhookEvents))
  .min(1, 'must name at least one event')
  .max(webhookEvents.length, `must name at most ${webhookEvents.length} events`)
  .refine((list) => new Set(list).size === list.length, 'must not name an event twice')
  .meta({
    description:
      'The events that it gets: a version went live (a rollback too), or was refused or left unjudged; operators hold the space; somebody reported it; a board has a new first place of all time.',
  });

const webhookFields = {
  id: z.string().describe('The id that other calls take. A webhook with another address has another id.'),
  url: z.string().describe('Where events are sent.'),
  events,
  on: z.boolean().meta({
    description: 'False once it was switched off. Writing the list again switches it on.',
  }),
  off_reason: z.enum(['gone', 'failing']).nullable().meta({
    description: '`gone`: it answered 410. `failing`: an event could not be delivered for a day.',
  }),
  off_at: timestamp.nullable().describe('When it was switched off.'),
  created_at: createdAt,
};
export const webhook = z.object(webhookFields).meta({ id: 'Webhook' });
export type Webhook = z.output<typeof webhook>;

const writtenWebhook = z
  .object({
    ...webhookFields,
    secret: z.string().nullable().meta({
      description:
        'The key that signs the deliveries, `whsec_…`. For a new webhook, in this answer only; else null.',
    }),
  })
  .meta({ id: 'WrittenWebhook' });
export type WrittenWebhook = z.output<typeof writtenWebhook>;

export const webhookDelivery = z
  .object({
    id: z.string().describe('`webhook-id` of the delivery, the same at every attempt.'),
    type: z.enum([...webhookEvents, testEvent]).describe('The event.'),
    state: z.enum(['waiting', 'delivered', 'failed', 'limited']).meta({
      description:
        '`waiting` for its next attempt; `delivered`: answered 2xx; `failed`: given up; `limited`: not sent, because the space had too many events in that hour.',
    }),
    attempts: z
      .number()
      .int()
      .describe('How many attempts there were, since it was last sent again by hand.'),
    next_attempt_at: timestamp.nullable().describe('The earliest time of the next attempt.'),
    answer: z
      .object({
        at: timestamp.describe('When the receiver was called.'),
        ms: z.number().int().describe('How long it took, in milliseconds.'),
        status: z.number().int().nullable().meta({ description: 'Null if no answer came within 5 seconds.' }),
        body: z.string().meta({
          description: `The first ${keptAnswerBytes} bytes. Written by a stranger: show it as text.`,
        }),
      })
      .nullable()
      .meta({ description: 'The last answer; null before the first attempt.' }),
    created_at: createdAt,
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.output<typeof webhookDelivery>;

const common = { tag, credential: 'token', scope: 'publish', edge: 'plain' } as const;

export const readWebhooks = defineOperation({
  ...common,
  id: 'readWebhooks',
  method: 'GET',
  path: '/api/spaces/{slug}/webhooks',
  summary: 'The webhooks of a space, with the ETag of the list.',
  params: spaceParams,
  answers: {
    200: z.object({ webhooks: z.array(webhook).describe('In the order in which they were written.') }),
  },
  errors: ['not_found'],
});

export const putWebhooks = defineOperation({
  ...common,
  id: 'putWebhooks',
  method: 'PUT',
  path: '/api/spaces/{slug}/webhooks',
  summary: `Write the whole list of a space's webhooks, at most ${maxWebhooks}; If-Match is honoured.`,
  more: 'A webhook whose address was in the list keeps its key, and is switched on again if it was off. One that is left out is deleted with its deliveries. For a new key, take it off the list and add it again.',
  params: spaceParams,
  body: z.strictObject({
    webhooks: z
      .array(
        z.strictObject({
          url: webUrl.meta({
            description:
              'An address on the public web at port 80 or 443, with https in production. Each address once.',
          }),
          events,
        }),
      )
      .max(maxWebhooks, `must be at most ${maxWebhooks} webhooks`)
      .describe('The whole list.'),
  }),
  example: {
    body: {
      webhooks: [{ url: 'https://ci.example.com/spaceport', events: ['version.refused', 'space.held'] }],
    },
  },
  answers: {
    200: z.object({ webhooks: z.array(writtenWebhook).describe('In the order in which they were written.') }),
  },
  errors: ['not_found', 'precondition_failed'],
});

export const readDeliveries = defineOperation({
  ...common,
  id: 'readDeliveries',
  method: 'GET',
  path: '/api/spaces/{slug}/webhooks/{id}/deliveries',
  summary: `The last ${keptDeliveries} deliveries of a webhook, with their answers, newest first.`,
  params: webhookParams,
  answers: { 200: z.object({ deliveries: z.array(webhookDelivery).describe('Newest first.') }) },
  errors: ['not_found'],
});

export const resendDelivery = defineOperation({
  ...common,
  id: 'resendDelivery',
  method: 'POST',
  path: '/api/spaces/{slug}/webhooks/{id}/deliveries/{delivery}',
  summary: 'Send an event again, with the same id. It is retried for a day, as at first.',
  more: '409 `conflict` while the webhook is switched off. It counts toward the events of the hour.',
  params: deliveryParams,
  answers: { 202: webhookDelivery },
  errors: ['not_found', 'conflict', 'rate_limited'],
});

export const testWebhook = defineOperation({
  ...common,
  id: 'testWebhook',
  method: 'POST',
  path: '/api/spaces/{slug}/webhooks/{id}/test',
  summary: `Send a webhook the event \`${testEvent}\`, to see whether it arrives.`,
  more: '409 `conflict` while the webhook is switched off. It counts toward the events of the hour.',
  params: webhookParams,
  answers: { 202: webhookDelivery },
  errors: ['not_found', 'conflict', 'rate_limited'],
});
