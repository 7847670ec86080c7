import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import type { ResolvedAddress } from './connect.ts';
import type { CountingListener } from './counting-listener.ts';
import { FetchRefused, type Refusal } from './refusal.ts';
import { createSafeFetch, type SafeFetchOptions } from './safe-fetch.ts';

export const anyName = 'pages.example.com';
export const loopback: ResolvedAddress = { address: '127.0.0.1', family: 4 };

/**
 * A safe fetch that allows the listener, by its address and by `anyName`. The service's own hosts stay
 * refused.
 */
export function fetchFrom(listener: CountingListener, options: Partial<SafeFetchOptions> = {}) {
  return createSafeFetch({
    allow: [`127.0.0.1:${listener.port}`, `${anyName}:${listener.port}`],
    ownHosts: (host) => host === 'spaceport.example.com' || host.endsWith('.play.example.com'),
    resolve: async () => [loopback],
    ...options,
  });
}

/** Returns why the fetch was refused. Fails if it was not. */
export async function refusalOf(fetched: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await fetched.then(
    () => assert.fail('was not refused'),
    (reason) => reason,
  );
  assert.ok(error instanceof FetchRefused, `${error}`);
  return error.refusal;
}

export const page: RequestListener = (_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8').end('<title>Hello</title>');
};
