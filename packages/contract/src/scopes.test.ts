import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildOpenApi } from './openapi.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { scopeList, scopes, usualScopes } from './scopes.ts';

const all: readonly Operation[] = operations;
const takesToken = ({ credential }: Operation) => /^(token|operator)/u.test(credential);
const idsOf = (those: readonly Operation[]) => those.map(({ id }) => id);

describe('the scopes of API tokens', () => {
  it('are required by every operation that takes a token, except readMe', () => {
    assert.deepEqual(idsOf(all.filter((one) => takesToken(one) && one.scope === undefined)), ['readMe']);
    assert.deepEqual(idsOf(all.filter((one) => !takesToken(one) && one.scope !== undefined)), []);
  });

  it('keep operators’ operations to a scope that no token has by default', () => {
    const theirs = all.filter(({ path }) => path.startsWith('/api/operator/'));
    assert.ok(theirs.length > 0);
    assert.deepEqual(idsOf(theirs.filter(({ scope }) => scope !== 'operate')), []);
    assert.deepEqual(
      scopes.filter((scope) => !usualScopes.some((usual) => usual === scope)),
      ['operate'],
    );
  });

  it('are in the description beside the token', () => {
    const { paths } = buildOpenApi() as { paths: Record<string, Record<string, { security: unknown }>> };
    assert.deepEqual(paths['/api/v1/hosting/versions']?.post?.security, [
      { apiToken: ['publish'] },
      { claimToken: [] },
      {},
    ]);
    assert.deepEqual(paths['/api/agent/me']?.get?.security, [{ apiToken: [] }]);
  });

  it('cover every call that a token for one space may make', () => {
    const unnamed = all.filter(
      ({ scope, space, path }) => scope !== undefined && space === undefined && !path.includes('{slug}'),
    );
    assert.deepEqual(idsOf(unnamed.filter(({ scope }) => scope !== 'operate')), ['listSpace']);
  });

  it('are read in one order, without repeats', () => {
    assert.deepEqual(scopeList.parse(['moderate', 'publish']), ['publish', 'moderate']);
    for (const wrong of [[], ['publish', 'publish'], ['all'], 'publish', null])
      assert.equal(scopeList.safeParse(wrong).success, false, JSON.stringify(wrong));
  });
});
