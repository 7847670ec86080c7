import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService } from '../../test/service.ts';
import { type SignedUp, signUp } from '../../test/visitor.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { newId } from '../platform/secrets/id.ts';

const many = 60;
const shownAtOnce = 24;

describe('an account with many tokens and browsers', () => {
  let service: TestService;
  let who: SignedUp;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    who = await signUp(service, { handle: 'signs_in_much' });
    const bystander = await signUp(service, { handle: 'bystander' });
    for (const handle of ['signs_in_much', 'bystander']) await addTo(await idOf(handle), handle);
    assert.equal((await bystander.call('GET', '/api/account/tokens')).json().tokens.length, 50);
  });
  after(() => service.close());

  const db = () => service.service.platform.database.db;
  const idOf = async (handle: string): Promise<AccountId> =>
    (await db().selectFrom('creators').select('id').where('handle', '=', handle).executeTakeFirstOrThrow())
      .id;

  /** Adds tokens and sessions, of which several were made in the same millisecond. */
  async function addTo(creator_id: AccountId, name: string): Promise<void> {
    const now = service.clock.now();
    const numbers = Array.from({ length: many }, (_, at) => at);
    const expires_at = now + 86_400_000;
    await db()
      .insertInto('api_tokens')
      .values(
        numbers.map((at) => ({
          id: newId('tok'),
          creator_id,
          hash: `${name} ${at}`,
          client_name: `${name} ${at}`,
          created_at: now + Math.floor(at / 7),
          expires_at,
          scopes: 'publish',
          space_id: null,
          revoked_at: null,
          last_used_at: null,
        })),
      )
      .execute();
    await db()
      .insertInto('auth_sessions')
      .values(
        numbers.map((at) => ({
          id: newId('ses'),
          token: `${name} ${at}`,
          creator_id,
          user_agent: `${name} ${at}`,
          // Newer than the browser that asks.
          created_at: now + 1 + Math.floor(at / 7),
          updated_at: now,
          expires_at,
        })),
      )
      .execute();
  }

  /** Follows «Show more» of a list without script. Returns the number of its rows in each document. */
  async function walk(name: 'tokens' | 'sessions', row: RegExp): Promise<number[]> {
    const counts: number[] = [];
    for (let path: string | undefined = '/settings'; path !== undefined; ) {
      const html: string = (await who.get(path)).text();
      counts.push([...html.matchAll(row)].length);
      path = html.match(new RegExp(`href="(/settings\\?${name}=[^"#]*)#${name}"`, 'u'))?.[1];
    }
    return counts;
  }

  async function pagesOf(what: 'tokens' | 'sessions', limit = 25) {
    const pages: { id: string; current?: boolean }[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const answer = await who.call('GET', `/api/account/${what}?limit=${limit}${query}`);
      assert.equal(answer.status, 200, answer.text());
      pages.push(answer.json()[what]);
      cursor = answer.json().next;
    }
    return pages;
  }

  it('reads them page by page, the browser that asks first', async () => {
    const tokens = await pagesOf('tokens');
    assert.deepEqual(
      tokens.map(({ length }) => length),
      [25, 25, 10],
    );
    assert.equal(new Set(tokens.flat().map(({ id }) => id)).size, many);
    const sessions = await pagesOf('sessions');
    assert.deepEqual(
      sessions.map(({ length }) => length),
      [25, 25, 11],
    );
    assert.equal(new Set(sessions.flat().map(({ id }) => id)).size, many + 1);
    assert.deepEqual(
      sessions.flat().flatMap(({ current }, at) => (current ? [at] : [])),
      [0],
    );
    const one = await pagesOf('sessions', 1);
    assert.equal(new Set(one.flat().map(({ id }) => id)).size, many + 1);
    for (const path of ['/api/account/tokens?cursor=nonsense', '/api/account/sessions?cursor=nonsense']) {
      const wrong = await who.call('GET', path);
      assert.deepEqual([wrong.status, wrong.json().issues[0].path], [422, 'cursor']);
    }
    assert.equal((await who.get('/settings?tokens=nonsense')).status, 422);
  });

  it('has a document of a few of each, and links to the others', async () => {
    const tokens = await walk('tokens', /action="\/settings\/tokens\/revoke"/gu);
    assert.deepEqual(tokens, [shownAtOnce, shownAtOnce, many - 2 * shownAtOnce]);
    const sessions = await walk('sessions', /signed in <time/gu);
    assert.deepEqual(sessions, [shownAtOnce, shownAtOnce, many + 1 - 2 * shownAtOnce]);
  });

  it('shows a refusal on the page of its token', async () => {
    const first = (await who.get('/settings')).text();
    const next = first.match(/href="(\/settings\?tokens=[^"#]*)#tokens"/u)?.[1] ?? assert.fail();
    const second = (await who.get(next)).text();
    const action = second.match(/action="(\/settings\/tokens\/narrow\?tokens=[^"]*)"/u)?.[1] ?? assert.fail();
    const id = second.match(/name="id" value="(tok_[^"]*)"/u)?.[1] ?? assert.fail();
    const refused = await who.post(action, { id });
    assert.equal(refused.status, 422);
    assert.match(refused.text(), /To take everything away, revoke the token/u);
    assert.ok(refused.text().includes(`value="${id}"`));
  });
});
