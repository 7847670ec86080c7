import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService } from '../../../test/service.ts';
import '../../../test/one-engine.ts';

const filling = (bytes: number) => 'x'.repeat(bytes);
/** What a page of a space sets for all spaces: a browser keeps some 180 of these for a registrable domain. */
const manyCookies = Array.from({ length: 20 }, (_, index) => `c${index}=${filling(3_900)}`).join('; ');
const usualCookies = 'spaceport_session=abcdefghijklmnopqrstuvwxyz0123456789abcdefg; theme=dark';
const browser = 'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36; like Gecko\r\n';

describe('a head that is too large', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  /** Sends a head, cut at these places, and returns the response. */
  function answerTo(head: string, ...cuts: readonly number[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(service.port, '127.0.0.1').setNoDelay(true).on('error', reject);
      let text = '';
      socket.setEncoding('latin1').on('data', (data: string) => {
        text += data;
      });
      socket.on('close', () => resolve(text));
      let sent = 0;
      const send = () => {
        const end = cuts.find((cut) => cut > sent) ?? head.length;
        socket.write(head.slice(sent, end), 'latin1', () =>
          setImmediate(end < head.length ? send : () => {}),
        );
        sent = end;
      };
      send();
    });
  }

  const headOf = (path: string, cookies: string) =>
    `GET ${path} HTTP/1.1\r\nHost: some.play.localhost:${service.port}\r\nConnection: close\r\n${browser}Cookie: ${cookies}\r\n\r\n`;

  it('clears the cookies of the site, if these are what is too large', async () => {
    const head = headOf('/', manyCookies);
    for (const cuts of [[], [40], [300], [9_000], [4_000, 8_000, 12_000]]) {
      const answer = await answerTo(head, ...cuts);
      assert.match(answer, /^HTTP\/1\.1 431 /u);
      assert.match(answer, /\r\nclear-site-data: "cookies"\r\n/u, String(cuts));
      assert.match(answer, /reload/u);
    }
  });

  it('is answered also if the client goes on sending it', async () => {
    const head = headOf('/', Array.from({ length: 9 }, () => manyCookies).join('; '));
    const cuts = Array.from({ length: 100 }, (_, index) => (index + 1) * 7_000);
    assert.match(await answerTo(head, ...cuts), /\r\nclear-site-data: "cookies"\r\n/u);
  });

  it('signs nobody out, if it is the address: any page can link to one', async () => {
    for (const length of [15_950, 16_000, 17_000, 30_000]) {
      const head = headOf(`/?a=1;b=${filling(length)}`, usualCookies);
      for (const cuts of [[], [15_000], [15_900], [16_010]]) {
        const answer = await answerTo(head, ...cuts);
        if (!answer.startsWith('HTTP/1.1 431 ')) continue;
        assert.doesNotMatch(answer, /clear-site-data/iu, `${length}, ${cuts}`);
      }
    }
    assert.match(await answerTo(headOf(`/?${filling(17_000)}`, usualCookies)), /^HTTP\/1\.1 431 /u);
  });
});
