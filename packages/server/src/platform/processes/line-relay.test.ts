import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { it } from 'node:test';
import fc from 'fast-check';
import { relayLines } from './line-relay.ts';

it('whole lines are relayed, however the text is split, including the last one', async () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' '));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat(9)), async (lines, cuts) => {
      const bytes = Buffer.from(lines.join('\n'));
      const from = new PassThrough();
      const written: string[] = [];
      let count = 0;
      relayLines(from, {
        write(text, number) {
          written.push(text);
          count += number;
        },
        whenEmpty: () => {},
      });
      let at = 0;
      for (const cut of [...cuts, bytes.length]) {
        if (at < bytes.length && cut > 0) from.write(bytes.subarray(at, at + cut));
        at += cut;
      }
      from.end();
      await once(from, 'end');
      for (const text of written) assert.ok(text.endsWith('\n'));
      const whole = lines.join('\n');
      assert.equal(written.join(''), whole === '' || whole.endsWith('\n') ? whole : `${whole}\n`);
      assert.equal(count, written.join('').split('\n').length - 1);
    }),
  );
});
