import assert from 'node:assert/strict';
import type { RawAnswer } from './raw-http.ts';
import type { TestService } from './service.ts';

/** Returns the calls of a device that signs in: `start` begins, `exchange` asks for the token. */
export function deviceCalls(serviceOf: () => TestService) {
  const api = (path: string, body?: unknown) => serviceOf().anonymous.call('POST', path, body);
  return {
    api,
    start: async (body?: unknown) => (await api('/api/agent/login', body)).json(),
    exchange: (code: string) => api('/api/agent/token', { device_code: code }),
  };
}

/** Asserts that `exchange` was refused: 400 with this code and a sentence, and not cacheable. */
export function requireRefused(answer: RawAnswer, error: string): void {
  assert.equal(answer.status, 400, answer.text());
  assert.equal(answer.json().error, error);
  assert.match(answer.json().message, /^[A-Z].*\.$/u);
  assert.equal(answer.headers['cache-control'], 'no-store');
}
