import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { codeOf } from './answers.ts';
import { type PageServer, proofTag, startPages } from './pages.ts';
import { startService, type TestService } from './service.ts';
import { TestDns } from './test-dns.ts';
import { openReceiver, type Receiver } from './webhook-receiver.ts';
import { makeWorld, type World } from './world.ts';
import { creatorsDeeds, type Deeds, playersDeeds } from './world-deeds.ts';

/** Tables of the service itself, which any call may change. */
const ofTheService =
  /^(?:jobs|kysely_migration|outgoing_mails|rate_hits|room_nodes|search_state|search_tokens|settings)/u;

/**
 * Tables in which nobody has a row here: what browsers and damages leave, what
 * takes days, and what ends in seconds.
 */
const unfilled: ReadonlySet<string> = new Set(
  `blob_deltas blob_forms check_pictures clips damaged_files ended_labels
  page_declarations player_keys rerank_changes review_links room_tickets rooms space_urls spent_handles
  taken_down_files taken_down_versions told_records`.split(/\s+/u),
);

describe('whoever does something', () => {
  let service: TestService;
  let receiver: Receiver;
  let pages: PageServer;
  let actor: World;
  /** The rows of others, by table. */
  let others: Map<string, ReadonlySet<string>>;
  before(async () => {
    [receiver, pages] = [await openReceiver(), await startPages()];
    service = await startService({
      resolver: new TestDns(),
      environment: {
        ...freely,
        RESTORE_SECONDS: '240',
        FETCH_ALLOW: `${receiver.address},${pages.address}`,
        CUSTOM_DOMAINS: 'on',
      },
    });
    const page = pages.put('/moved', proofTag('actor_owner'));
    const surroundings = { receiver: receiver.url(''), page };
    await makeWorld(service, 'bystander', surroundings);
    others = await rows();
    actor = await makeWorld(service, 'actor', surroundings);
  });
  after(async () => {
    await service.close({ allowFailedJobs: true });
    await receiver.close();
    await pages[Symbol.asyncDispose]();
  });

  async function rows(): Promise<Map<string, ReadonlySet<string>>> {
    const { db } = service.service.platform.database;
    const found = new Map<string, ReadonlySet<string>>();
    for (const { name } of await db.introspection.getTables()) {
      if (ofTheService.test(name)) continue;
      const { rows: all } = await sql`select * from ${sql.table(name)}`.execute(db);
      found.set(name, new Set(all.map((row) => JSON.stringify(row))));
    }
    return found;
  }

  /** Does one thing after the other. After each, these rows must be there, as they were. */
  async function leaveAlone(deeds: Deeds, kept: ReadonlyMap<string, ReadonlySet<string>>): Promise<void> {
    for (const [deed, act] of Object.entries(deeds)) {
      await act();
      await service.settle();
      const now = await rows();
      for (const [table, before] of kept) {
        const gone = [...before].filter((row) => !now.get(table)?.has(row));
        assert.deepEqual(gone, [], `${deed} changed ${table}`);
      }
    }
  }

  it('finds nothing of another account by its id', async () => {
    const { db } = service.service.platform.database;
    for (const [table, path] of [
      ['api_tokens', 'tokens'],
      ['auth_passkeys', 'passkeys'],
      ['auth_sessions', 'sessions'],
    ] as const) {
      const [other] = await db
        .selectFrom(table)
        .innerJoin('creators as owner', 'owner.id', 'creator_id')
        .select(`${table}.id`)
        .where('owner.handle', '=', 'bystander_owner')
        .execute();
      const at = `/api/account/${path}/${other?.id ?? assert.fail(table)}`;
      const named = { name: 'Another' };
      if (path !== 'sessions')
        assert.deepEqual(codeOf(await actor.owner.call('PATCH', at, named)), [404, 'not_found'], path);
      assert.deepEqual(codeOf(await actor.owner.call('DELETE', at)), [404, 'not_found'], path);
    }
    await leaveAlone({ 'what was refused': async () => {} }, others);
  });

  it('changes nothing of other players of the same space', async () => {
    const isTheirs = (row: string) => actor.witnesses.some((id) => row.includes(`"${id}"`));
    const theirs = new Map<string, ReadonlySet<string>>();
    for (const [table, all] of await rows()) theirs.set(table, new Set([...all].filter(isTheirs)));
    assert.ok((theirs.get('submissions')?.size ?? 0) > 0);
    await leaveAlone(playersDeeds(service, actor), theirs);
  });

  it('changes nothing of other spaces and accounts', async () => {
    const empty = [...others].filter(([, all]) => all.size === 0).map(([table]) => table);
    assert.deepEqual(
      empty.filter((table) => !unfilled.has(table)),
      [],
      'no world has rows there',
    );
    await leaveAlone(creatorsDeeds(service, actor), others);
  });
});

/** Limits that one test cannot reach. */
const freely = Object.fromEntries(
  [
    'SIGN_UPS_PER_HOUR',
    'SIGN_INS_PER_HOUR',
    'GUESTS_PER_HOUR',
    'PUBLISHES_PER_HOUR',
    'CHECKS_PER_HOUR',
    'SAVES_PER_MINUTE',
  ].map((name) => [name, '100000']),
);
