import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService } from '../../test/service.ts';
import { signUp, type Visitor } from '../../test/visitor.ts';
import { newId } from '../platform/secrets/id.ts';
import { createSpace } from '../spaces/spaces.ts';

const ownSpaces = 250;
const ownTokens = 10;
const spacesAtOnce = 50;

describe('the settings of an account with many spaces and tokens', () => {
  let service: TestService;
  let who: Visitor;
  before(async () => {
    service = await startService();
    who = await signUp(service, { handle: 'owns_much' });
    for (let at = 0; at < ownTokens; at++) assert.equal((await makeToken(`token ${at}`, '')).status, 200);
  });
  after(() => service.close());

  const makeToken = (name: string, space: string) =>
    who.post('/settings/tokens', { name, space, days: '7', scope_publish: 'on' });
  const optionsIn = (html: string) =>
    [...html.matchAll(/<option[^>]*>(?<label>[^<]*)/gu)].filter(({ groups }) =>
      groups?.label?.endsWith(' alone'),
    ).length;

  /** Makes spaces with the slugs `own-0`, `own-1`, … */
  async function makeSpaces(from: number, to: number): Promise<void> {
    const { database } = service.service.platform;
    const { id: owner_id } = await database.db
      .selectFrom('creators')
      .select('id')
      .where('handle', '=', 'owns_much')
      .executeTakeFirstOrThrow();
    await database.transaction(async (tx) => {
      const kind = { owner_id, hosted: 1, claimed: 1, url: null, slug: `own-${from}` } as const;
      const fields = { title: 'Own', space_type: 'game' as const, devices: ['desktop' as const] };
      const first = await createSpace(tx, fields, kind);
      for (let at = from + 1; at < to; at += spacesAtOnce) {
        const numbers = Array.from({ length: Math.min(spacesAtOnce, to - at) }, (_, step) => at + step);
        const rows = numbers.map((number) => ({ ...first, id: newId('spc'), slug: `own-${number}` }));
        await tx.db.insertInto('spaces').values(rows).execute();
      }
    });
  }

  it('offer each space for each token while they are few', async () => {
    await makeSpaces(0, 3);
    assert.equal(optionsIn((await who.get('/settings')).text()), 3 * (ownTokens + 1));
  });

  it('have the name of the space typed when there are many', async () => {
    await makeSpaces(3, ownSpaces);
    const page = (await who.get('/settings')).text();
    assert.equal(optionsIn(page), 0);
    assert.match(page, /<input[^>]* name="space"/u);
    const made = await makeToken('For one', ` own-${ownSpaces - 1} `);
    assert.equal(made.status, 200, made.text());
    const { tokens } = (await who.call('GET', '/api/account/tokens')).json();
    assert.equal(tokens[0].space, `own-${ownSpaces - 1}`);
    const refused = await makeToken('For one', 'own-none');
    assert.equal(refused.status, 404);
    assert.match(refused.text(), /You have no space «own-none»/u);
  });
});
