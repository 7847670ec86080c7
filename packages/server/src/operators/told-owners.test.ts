import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { publishLive } from '../../test/files.ts';
import { owningPlayer } from '../../test/owning-player.ts';
import { machineOf } from '../../test/run-admin.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { mailsTo, signUp, visitor } from '../../test/visitor.ts';
import { adminCommands } from '../commands/admin-commands.ts';

const contact = 'ops@games.example';

describe('the owner of what operators act on', () => {
  let service: TestService;
  let operator: Persona;
  before(async () => {
    service = await startService({ environment: { CONTACT: contact } });
    operator = await service.creator('keeper', { operator: true });
  });
  after(() => service.close());

  const act = async (path: string, body: unknown) => {
    const answer = await operator.call('POST', `/api/operator/${path}`, body);
    assert.equal(answer.status, 200, answer.text());
  };
  const subjectOf = (mail: string) => /^Subject: (.*)\r$/mu.exec(mail)?.[1];

  it('is told by mail and in the dashboard what was done, with the words for them and without the reason', async () => {
    const owner = await service.creator('maker');
    const { slug } = (await publishLive(service, owner)).space;
    const say = async () => {
      const { state, operators_message: words } = (await owner.call('GET', `/api/spaces/${slug}`)).json();
      return [state, words];
    };
    const steps = [
      ['hold', 'Moon Hopper is under review', 'held'],
      ['release', 'Moon Hopper is back', 'listed'],
      ['hide', 'Moon Hopper was hidden', 'hidden'],
      ['remove', 'Moon Hopper was removed', 'removed'],
      ['restore', 'Moon Hopper was hidden', 'hidden'],
      ['restore', 'Moon Hopper is back', 'listed'],
    ] as const;
    for (const [step, [action, subject, state]] of steps.entries()) {
      const message = `Words ${step}.\nMore of them.`;
      const body = { reason: 'Reported by a neighbour.', message };
      await act(`spaces/${slug}/${action}`, body);
      const isBack = action === 'release' || action === 'restore';
      assert.deepEqual(await say(), [state, isBack ? null : message]);
      // Repeating it changes nothing, so nobody is told of it.
      if (!isBack) await act(`spaces/${slug}/${action}`, { ...body, message: 'Again.' });
      const mails = await mailsTo(service, `${owner.handle}@example.org`);
      assert.equal(mails.length, step + 1);
      const mail = mails.at(-1) ?? '';
      assert.equal(subjectOf(mail), subject);
      assert.match(mail, new RegExp(`^Reply-To: ${contact}\r$`, 'mu'));
      assert.ok(mail.includes(`Words ${step}.\r\nMore of them.`), mail);
      assert.ok(mail.includes(`${service.baseUrl}/dashboard/${slug}\r\n`), mail);
      assert.equal(mail.includes(`the operators of the service: ${contact}`), state !== 'listed', mail);
      assert.ok(!mail.includes('neighbour'), mail);
    }
    assert.ok(!(await service.anonymous.call('GET', `/api/gallery/${slug}`)).text().includes('Words'));
  });

  it('is told only what was done, if there are no words for them', async () => {
    const owner = await service.creator();
    const { slug } = (await publishLive(service, owner)).space;
    const command = adminCommands.hide ?? assert.fail();
    await command.run(machineOf(service), { space: slug, reason: 'Nobody else reads it.' });
    const [mail = '', ...others] = await mailsTo(service, `${owner.handle}@example.org`);
    assert.deepEqual(others, []);
    assert.equal(subjectOf(mail), 'Moon Hopper was hidden');
    assert.ok(!mail.includes('They write'), mail);
    assert.equal((await owner.call('GET', `/api/spaces/${slug}`)).json().operators_message, null);
  });

  it('reads in the dashboard what the operators write, and how they are asked', async () => {
    const { persona, player } = await owningPlayer(service);
    const { slug } = (await publishLive(service, persona)).space;
    const page = async () => (await player.get(`/dashboard/${slug}`)).text();
    const link = `<a href="mailto:${contact}">${contact}</a>`;
    await act(`spaces/${slug}/hold`, { reason: 'For us.' });
    assert.ok((await page()).includes(`Ask them why: ${link}`));
    await act(`spaces/${slug}/hide`, { reason: 'For us.', message: 'It <b>copies</b> a game.' });
    const hidden = await page();
    assert.match(
      hidden,
      /They write:<blockquote[^>]*>It &lt;b>copies&lt;\/b> a game\.<\/blockquote>Ask them: /u,
    );
    assert.ok(hidden.includes(link) && !hidden.includes('For us.'));
  });

  it('is told of the decision of a report, and nobody of one that changes nothing', async () => {
    const owner = await service.creator();
    const { slug } = (await publishLive(service, owner)).space;
    await service.anonymous.call('POST', `/api/gallery/${slug}/report`, { reason: 'spam' });
    const [{ id }] = (await operator.call('GET', '/api/operator/reports?state=open')).json().reports;
    const decision = { note: 'For us.', message: 'It advertises.' };
    const refused = await operator.call('POST', `/api/operator/reports/${id}`, {
      ...decision,
      action: 'dismiss',
    });
    assert.deepEqual(codeOf(refused), [422, 'invalid']);
    assert.equal(refused.json().issues[0].path, 'message');
    await act(`reports/${id}`, { ...decision, action: 'remove' });
    const [mail = ''] = await mailsTo(service, `${owner.handle}@example.org`);
    assert.equal(subjectOf(mail), 'Moon Hopper was removed');
    assert.ok(mail.includes('It advertises.') && !mail.includes('For us.'), mail);
  });

  it('is told of a ban, at the next sign-in too, and of its end', async () => {
    const { email, password } = await signUp(service, { handle: 'banned_one' });
    const body = { reason: 'For us.', message: 'You publish spam.' };
    await act('accounts/banned_one/ban', body);
    await act('accounts/banned_one/ban', { ...body, message: 'Again.' });
    const [, mail = '', ...others] = await mailsTo(service, email);
    assert.deepEqual(others, []);
    assert.equal(subjectOf(mail), 'Your account was banned');
    assert.ok(mail.includes('You publish spam.') && !mail.includes('For us.'), mail);
    assert.ok(mail.includes(contact), mail);
    const again = await visitor(service).post('/sign-in', { email, password });
    assert.equal(again.status, 403);
    assert.ok(
      again.text().includes(`This account is banned. If you think`) && again.text().includes(contact),
    );
    await act('accounts/banned_one/unban', { reason: 'For us.' });
    assert.equal(subjectOf((await mailsTo(service, email)).at(-1) ?? ''), 'Your account is no longer banned');
  });

  it('is told how a review ended, and reads the reason of a refusal', async () => {
    const owner = await service.creator();
    const bad = { 'index.html': '<meta http-equiv="refresh" content="0;url=https://elsewhere.example/">' };
    const decisions = [
      ['decline', 'Version 1 of Moon Hopper was declined', true],
      ['approve', 'Version 2 of Moon Hopper is live', false],
    ] as const;
    let space: string | undefined;
    for (const [decision, subject, isRead] of decisions) {
      const published = await publishLive(service, owner, bad, space === undefined ? {} : { space });
      space = published.space.slug;
      const { id } = published.version;
      assert.equal((await owner.call('POST', `/api/v1/hosting/versions/${id}/review`)).status, 200);
      await act(`reviews/${id}`, { decision, reason: 'It leads to another site.' });
      const mail = (await mailsTo(service, `${owner.handle}@example.org`)).at(-1) ?? '';
      assert.equal(subjectOf(mail), subject);
      assert.equal(mail.includes('It leads to another site.'), isRead, mail);
      assert.equal(mail.includes('If you think that this is a mistake'), isRead, mail);
      assert.ok(mail.includes(`${service.baseUrl}/dashboard/${space}\r\n`), mail);
    }
  });

  it('finds the operators at the foot of every page', async () => {
    const page = (await service.get(`${service.baseUrl}/`)).text();
    assert.ok(page.includes(`<a href="mailto:${contact}">Contact</a>`), page.slice(-2_000));
  });
});
