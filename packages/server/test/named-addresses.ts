import assert from 'node:assert/strict';
import { operations } from '@spaceport/contract/operations';
import type { TestService } from './service.ts';

const patterns = operations.map(({ method, path }) => ({
  method,
  pattern: new RegExp(
    `^${path.replaceAll(/[.*+?^$()|[\]\\]/gu, '\\$&').replaceAll(/\{\w+\}/gu, '[^/]+')}$`,
    'u',
  ),
}));

/** Asserts that every address in a next step exists: calls by their method, pages by requesting them. */
export async function requireAddresses(service: TestService, next: string): Promise<void> {
  const found = [...next.matchAll(/(?:\b(GET|POST|PUT|PATCH|DELETE) )?(https?:\/\/[^\s,;)<]*[^\s,;)<.:])/gu)];
  for (const [, method, address = ''] of found) {
    assert.ok(address.startsWith(service.baseUrl), `${address} is of another service: ${next}`);
    const path = decodeURI(new URL(address).pathname);
    if (method !== undefined) {
      const isThere = patterns.some((each) => each.method === method && each.pattern.test(path));
      assert.ok(isThere, `no operation is ${method} ${path}: ${next}`);
      continue;
    }
    const answer = await service.get(address);
    assert.ok(answer.status < 400, `${address} answers ${answer.status}: ${next}`);
  }
}
