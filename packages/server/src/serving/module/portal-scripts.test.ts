import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { portalScripts } from './portal-scripts.ts';

const found = (html: string) =>
  portalScripts(Buffer.from(html)).map(({ portal, start, end }) => [
    portal,
    Buffer.from(html).toString('latin1').slice(start, end),
  ]);

describe('addresses of portals\u2019 SDKs in a document', () => {
  test('are found in its script elements, however they are written', () => {
    const crazyGames = 'https://sdk.crazygames.com/crazygames-sdk-v3.js';
    const poki = '//game-cdn.poki.com/scripts/v2/poki-sdk.js';
    const playables = 'http://www.youtube.com/game_api/v1';
    for (const [html, ...expected] of [
      [`<head><script src="${crazyGames}"></script>`, ['crazygames', crazyGames]],
      [`<SCRIPT async SRC = '${poki}'></SCRIPT>`, ['poki', poki]],
      [`<script src=${playables}></script>`, ['playables', playables]],
      [`<script\nsrc="${crazyGames}?v=2#x" defer>`, ['crazygames', `${crazyGames}?v=2#x`]],
      [
        `<script src="${poki}"></script>é<script src="${playables}">`,
        ['poki', poki],
        ['playables', playables],
      ],
    ] as const)
      assert.deepEqual(found(html), expected, html);
  });

  test('are not found anywhere else', () => {
    for (const html of [
      '<script src="https://sdk.crazygames.com/crazygames-sdk-v2.js"></script>',
      '<script src="https://sdk.crazygames.com/crazygames-sdk-v3.js.map"></script>',
      '<script src="https://example.com/?https://sdk.crazygames.com/crazygames-sdk-v3.js"></script>',
      '<script src="https://game-cdn.poki.com.evil.example/scripts/v2/poki-sdk.js"></script>',
      '<script data-src="https://game-cdn.poki.com/scripts/v2/poki-sdk.js"></script>',
      '<a href="x">src="https://www.youtube.com/game_api/v1"</a>',
      '<img src="https://www.youtube.com/game_api/v1">',
      '<script>src="https://www.youtube.com/game_api/v1"</script>',
      '<script src="ftp://www.youtube.com/game_api/v1"></script>',
      '<script src="https://www.youtube.com/game_api/v1',
    ])
      assert.deepEqual(found(html), [], html);
  });

  test('are in order and do not overlap, whatever the bytes', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.constantFrom(
        '<script src="',
        'https://',
        '//',
        'www.youtube.com/game_api/v1',
        'sdk.crazygames.com/crazygames-sdk-v3.js',
        '">',
        ' ',
        '\u00e9',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15 }), (pieces) => {
        const bytes = Buffer.from(pieces.join(''));
        let last = 0;
        for (const { start, end } of portalScripts(bytes)) {
          assert.ok(start >= last && end > start && end <= bytes.length);
          last = end;
        }
      }),
    );
  });
});
