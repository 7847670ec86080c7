import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nothingAtPath } from '@spaceport/contract/errors';
import { type FakeAnswer, fail } from '../../client/test/fake-answers.ts';
import { fakeCli } from '../test/fake-cli.ts';

describe('a command whose address is of no Spaceport, or of another one', () => {
  const fake = fakeCli();

  /** Returns what a command says when each call gets this answer, with HERE for the address. */
  async function told(answer: FakeAnswer, args = ['whoami']) {
    fake.service.intercept = () => answer;
    const { code, document } = await fake.json(args);
    const { message, next } = document.error;
    const plain = (text: string) => text.replaceAll(fake.service.baseUrl, 'HERE');
    return { code, message: plain(message), next: plain(next) };
  }
  const commands = [
    ['publish', 'game', '--anonymous'],
    ['publish', 'game', '--dry-run', '--space', 'a'],
    ['whoami'],
    ['login', '--start'],
    ['versions', '--space', 'a'],
    ['boards', 'get', '--space', 'a'],
  ];

  it('says so of other JSON, whatever the command reads in it', async () => {
    for (const body of [{}, [], null, 'ok', { ok: true, data: {} }, { version: '1', space: {} }]) {
      for (const args of commands) {
        const { code, message } = await told({ status: 200, body }, args);
        assert.match(
          message,
          /^There is no Spaceport at HERE: \/api\/\S+ is answered by another program\.$/u,
        );
        assert.equal(code, 7);
      }
    }
  });

  it('says so of errors that are not of the service', async () => {
    for (const body of [
      { error: 'Not Found' },
      { error: 'Not Found', message: 'Route not found', code: 7 },
    ]) {
      const { code, message, next } = await told({ status: 404, body });
      assert.equal(message, 'There is no Spaceport at HERE: /api/agent/me is answered with 404.');
      assert.match(next, /^Check the address .* If it is right: Open HERE in a browser/u);
      assert.equal(code, 7);
    }
  });

  it('names the page that answers in its place', async () => {
    const page = '<html><title>Welcome to nginx!</title>';
    const { message } = await told({ status: 200, body: page });
    assert.equal(
      message,
      'There is no Spaceport at HERE: /api/agent/me is answered with a page «Welcome to nginx!».',
    );
    const refusal = await told({ status: 403, body: '<title>Just a moment...</title>' });
    assert.match(refusal.message, /^Something before the service refuses .* 403 and a page «Just a mom/u);
    assert.match(refusal.next, /^Open HERE in a browser/u);
  });

  it('names the address that a service has moved to, but none of a sign-in page', async () => {
    const to = (location: string) => told({ status: 301, body: '', headers: { location } });
    const moved = await to('https://play.example/api/agent/me');
    assert.equal(moved.next, 'If that is the service, name it: --server https://play.example');
    const page = await to('https://wifi.example/hello?from=here');
    assert.match(page.message, /leads elsewhere: \/api\/agent\/me redirects to https:\/\/wifi\.example/u);
    assert.match(page.next, /^Check the address .* sign-in/u);
    assert.match((await to('http://[')).message, /^There is no Spaceport at HERE/u);
  });

  it('says that a service of another version does not know the call', async () => {
    for (const answer of [fail(404, 'not_found', nothingAtPath), fail(405, 'method_not_allowed', 'No.')]) {
      const { message, next } = await told(answer, ['versions', '--space', 'a']);
      assert.match(message, /^The Spaceport at HERE is of another version than this command/u);
      assert.equal(next, 'Use the command that it serves: npx --yes HERE/cli.tgz --help');
    }
    const { next } = await told(fail(404, 'not_found', nothingAtPath), [
      'scores',
      'delete',
      '1',
      '--space',
      'a',
    ]);
    assert.match(next, /^Use the command that it serves/u);
  });

  it('says to wait where a proxy does not reach the service', async () => {
    // A rollback is tried once.
    const { code, message, next } = await told({ status: 502, body: '<h1>' }, [
      'rollback',
      '1',
      '--space',
      'a',
    ]);
    assert.match(message, /^A proxy answered 502/u);
    assert.equal(next, 'It may be over soon: try again in a minute.');
    assert.equal(code, 7);
  });
});
