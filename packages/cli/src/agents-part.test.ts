import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { agentsPart, withAgentsPart } from './agents-part.ts';

const part = agentsPart('https://games.example');
const older = agentsPart('https://old.example');

test('the part contains the publish command with the address of the service', () => {
  assert.ok(part.includes('npx --yes https://games.example/cli.tgz publish ./dist --json'));
});

test('the part is replaced in place, and the text around it stays', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const once = withAgentsPart(`${before}\n${older}${after}`, part);
      assert.equal(once, `${before}\n${part}${after}`);
      assert.equal(withAgentsPart(once ?? '', part), once);
    }),
  );
});

test('a file without the part gets it appended, once', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const once = withAgentsPart(text, part);
      assert.ok(once?.startsWith(text));
      assert.equal(withAgentsPart(once ?? '', part), once);
    }),
  );
  assert.equal(withAgentsPart('', part), `${part}\n`);
  assert.equal(withAgentsPart('# Mine', part), `# Mine\n\n${part}\n`);
});

test('a file with Windows line ends gets the part with Windows line ends', () => {
  const first = withAgentsPart('# Mine\r\n', older) ?? '';
  const renewed = withAgentsPart(first, part) ?? '';
  for (const text of [first, renewed]) assert.doesNotMatch(text, /[^\r]\n/u);
  assert.ok(renewed.includes('https://games.example/cli.tgz'));
});

test('a file with a lone, swapped or repeated mark is left alone', () => {
  const [begin = '', end = ''] = [part.split('\n')[0], part.split('\n').at(-1)];
  for (const text of [begin, end, `${end}\n${begin}`, `${part}\n${part}`])
    assert.equal(withAgentsPart(text, part), null, text);
});
