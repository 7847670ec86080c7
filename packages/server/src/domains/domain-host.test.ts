import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../platform/errors.ts';
import { readDomainHost } from './domain-host.ts';

const own = ['app.spaceport.example', 'play.example:8443', 'temp.example'];
const read = (text: string) => readDomainHost(text, own);

describe('the host name of a space', () => {
  it('is normalized before it is compared', () => {
    for (const text of ['games.maker.org', 'GAMES.Maker.org', 'games.maker.org.', ' games.maker.org '])
      assert.equal(read(text), 'games.maker.org');
    assert.equal(read('bücher.example'), 'xn--bcher-kva.example');
    assert.equal(read('ＧＡＭＥＳ.maker.org'), 'games.maker.org');
  });

  it('must be a registrable name on the public web', () => {
    const refused = [
      ...['', '.', 'games', 'localhost', 'a.localhost', 'printer.local', 'x.internal', '1.in-addr.arpa'],
      ...['127.0.0.1', '1.2.3', '[::1]', '::1', '0x7f.1', '2130706433'],
      ...['*.maker.org', 'games..maker.org', '-a.maker.org', 'a_b.maker.org', 'a b.org', 'a%20b.org'],
      ...['https://games.maker.org', 'games.maker.org:8443', 'games.maker.org/x', 'you@maker.org'],
      ...[`${'a'.repeat(64)}.org`, `${'a.'.repeat(130)}org`, 'games.maker.org\u0000', 'games.maker.org..'],
      ...['__proto__', 'constructor', '__proto__.org', 'a.__proto__', 'a.'.repeat(100_000)],
    ];
    for (const text of refused) assert.throws(() => read(text), ServiceError, text);
  });

  it('must not be of the service, of its spaces or above them', () => {
    const refused = [
      ...['app.spaceport.example', 'x.app.spaceport.example', 'spaceport.example', 'APP.spaceport.example.'],
      ...['play.example', 'moon-hopper.play.example', 'p--x.temp.example', 'temp.example'],
    ];
    for (const text of refused) assert.throws(() => read(text), /name of this service/u, text);
    assert.equal(read('notplay.example'), 'notplay.example');
  });

  it('stays the same when it is parsed again', () => {
    fc.assert(
      fc.property(fc.domain(), (domain) => {
        let host: string;
        try {
          host = read(domain);
        } catch (error) {
          assert.ok(error instanceof ServiceError);
          return;
        }
        assert.equal(read(host), host);
      }),
    );
  });
});
