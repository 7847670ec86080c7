import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inFormat } from '../../src/shims/gateways/gamejolt/formats.ts';
import { numberOf } from '../../src/shims/gateways/number-of.ts';

const answer = {
  success: true,
  trophies: [
    { id: 3, title: 'Eat "cookies"', achieved: false },
    { id: 4, title: 'a ]]> b', achieved: null },
  ],
};

describe('an answer of the Game API', () => {
  test('has its values as text in every format', () => {
    assert.deepEqual(JSON.parse(inFormat(answer, 'json').text), {
      response: {
        success: 'true',
        trophies: [
          { id: '3', title: 'Eat "cookies"', achieved: 'false' },
          { id: '4', title: 'a ]]> b', achieved: '' },
        ],
      },
    });
    assert.equal(
      inFormat(answer, null).text,
      'success:"true"\nid:"3"\ntitle:"Eat \\"cookies\\""\nachieved:"false"\nid:"4"\ntitle:"a ]]> b"\nachieved:""\n',
    );
    assert.equal(
      inFormat(answer, 'xml').text,
      '<?xml version="1.0" encoding="UTF-8"?>\n<response><success><![CDATA[true]]></success><trophies>' +
        '<trophy><id><![CDATA[3]]></id><title><![CDATA[Eat "cookies"]]></title><achieved><![CDATA[false]]></achieved></trophy>' +
        '<trophy><id><![CDATA[4]]></id><title><![CDATA[a ]]]]><![CDATA[> b]]></title><achieved><![CDATA[]]></achieved></trophy>' +
        '</trophies></response>',
    );
  });

  test('starts with SUCCESS or FAILURE in the dump format', () => {
    assert.equal(inFormat({ success: true, data: 'a\nb' }, 'dump').text, 'SUCCESS\na\nb');
    assert.equal(inFormat({ success: false, message: 'No.' }, 'dump').text, 'FAILURE\nNo.');
  });
});

test('the number of a player is always the same, and differs from other players’', () => {
  assert.equal(numberOf('p1'), numberOf('p1'));
  assert.notEqual(numberOf('p1'), numberOf('p2'));
  assert.ok(Number.isSafeInteger(numberOf('ana')) && numberOf('ana') > 0);
});
