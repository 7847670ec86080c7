import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { publishLive } from '../../../test/files.ts';
import { startService } from '../../../test/service.ts';
import '../../../test/one-engine.ts';

interface Sent {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
  readonly status?: { code: number };
}

/** A collector that keeps the spans that it gets; `status` is the status of its responses. */
async function openCollector(context: TestContext, status = 200) {
  const spans: Sent[] = [];
  const services = new Set<string>();
  const heads: { url: string | undefined; key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    heads.push({ url: request.url, key: request.headers['x-key']?.toString() });
    void json(request).then((message) => {
      // biome-ignore lint/suspicious/noExplicitAny: OTLP, as far as it is looked at here.
      for (const { resource, scopeSpans } of (message as any).resourceSpans) {
        services.add(resource.attributes[0].value.stringValue);
        for (const each of scopeSpans) spans.push(...each.spans);
      }
      response.writeHead(status).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { spans, services, heads, endpoint: `http://127.0.0.1:${port}/otlp/` };
}

const attribute = ({ attributes }: Sent, wanted: string) => {
  const value = attributes.find(({ key }) => key === wanted)?.value;
  return value?.stringValue ?? value?.intValue;
};

describe('traces', () => {
  it('report requests and jobs to a collector, with their transactions and store calls', async (context) => {
    const { spans, services, heads, endpoint } = await openCollector(context);
    const service = await startService({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20secret',
        OTEL_SERVICE_NAME: 'our-games',
      },
    });
    const creator = await service.creator();
    const { space } = await publishLive(service, creator);
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const parent = '00f067aa0ba902b7';
    const change = (flags: string) =>
      creator.call(
        'PATCH',
        `/api/spaces/${space.slug}`,
        { title: `Hopper ${flags}` },
        {
          traceparent: `00-${traceId}-${parent}-${flags}`,
        },
      );
    assert.equal((await change('01')).status, 200);
    assert.equal((await change('00')).status, 200);
    assert.equal((await creator.call('PATCH', '/api/spaces/nowhere', { title: 'x' })).status, 404);
    // Waiting spans are sent before it ends.
    await service.close();

    assert.deepEqual([...services], ['our-games']);
    for (const head of heads) assert.deepEqual(head, { url: '/otlp/v1/traces', key: 'a secret' });
    const changes = spans.filter(({ name }) => name === 'PATCH /api/spaces/:slug');
    assert.deepEqual(
      changes.map((span) => [attribute(span, 'http.response.status_code'), span.kind, span.status]),
      [
        ['200', 2, undefined],
        ['404', 2, undefined],
      ],
      'the one that nobody keeps is not told of',
    );
    const [changed] = changes;
    assert.deepEqual([changed?.traceId, changed?.parentSpanId], [traceId, parent]);
    assert.notEqual(changes[1]?.traceId, traceId);
    const inside = spans.filter(({ parentSpanId }) => parentSpanId === changed?.spanId);
    assert.ok(inside.some(({ name }) => name === 'transaction'));
    for (const span of inside) {
      assert.equal(span.traceId, traceId);
      assert.ok(BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano));
      assert.ok(BigInt(span.endTimeUnixNano) <= BigInt(changed?.endTimeUnixNano ?? 0));
    }
    const uploads = spans.filter(({ name }) => name.startsWith('PUT /'));
    assert.ok(uploads.length > 0);
    for (const { spanId } of uploads)
      assert.ok(spans.some((span) => span.name === 'store write' && span.parentSpanId === spanId));
    const check = spans.find(({ name }) => name === 'job check');
    assert.equal(check?.parentSpanId, undefined);
    assert.ok(spans.some((span) => span.name === 'transaction' && span.parentSpanId === check?.spanId));
  });

  for (const [what, endpointOf] of [
    ['is away', async () => 'http://127.0.0.1:1'],
    ['takes nothing', async (context: TestContext) => (await openCollector(context, 503)).endpoint],
  ] as const) {
    it(`do not disturb requests when the collector ${what}`, async (context) => {
      const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: await endpointOf(context) };
      const service = await startService({ role: 'serve', environment });
      assert.equal((await service.get(`${service.baseUrl}/api/gallery`)).status, 200);
      await service.close();
    });
  }
});
