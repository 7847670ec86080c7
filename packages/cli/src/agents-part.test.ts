import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { agentsPart, withAgentsPart } from './agents-part.ts';

const part = agentsPart('https://games.example');
const older = agentsPart('https://old.example');

test('the part says the command with the address of the service', () => {
  assert.ok(part.includes('npx --yes https://games.example/cli.tgz publish ./dist --json'));
});

test('whatever the file says around it stays, and the part is written once', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const once = withAgentsPart(`${before}\n${older}${after}`, part);
      assert.equal(once, `${before}\n${part}${after}`);
      assert.equal(withAgentsPart(once ?? '', part), once);
    }),
  );
});

test('a file without the part gets it at its end, and once', () => {
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

test('a file with line ends of Windows gets such', () => {
  const first = withAgentsPart('# Mine\r\n', older) ?? '';
  const renewed = withAgentsPart(first, part) ?? '';
  for (const text of [first, renewed]) assert.doesNotMatch(text, /[^\r]\n/u);
  assert.ok(renewed.includes('https://games.example/cli.tgz'));
});

test('marks that do not fit are left alone', () => {
  const [begin = '', end = ''] = [part.split('\n')[0], part.split('\n').at(-1)];
  for (const text of [begin, end, `${end}\n${begin}`, `${part}\n${part}`])
    assert.equal(withAgentsPart(text, part), null, text);
});
