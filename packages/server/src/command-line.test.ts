import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CommandError, readCommand, usage } from './command-line.ts';
import { admin } from './commands/admin.ts';

const refused = (said: RegExp) => (error: unknown) =>
  error instanceof CommandError && said.test(error.message);

describe('the command line of the server', () => {
  it('starts with its role, or with none', () => {
    assert.deepEqual(readCommand([]), { name: 'start', role: 'all' });
    assert.deepEqual(readCommand(['work']), { name: 'start', role: 'work' });
    assert.deepEqual(readCommand(['config', '--markdown']), { name: 'config', format: 'markdown' });
    assert.deepEqual(readCommand(['config']), readCommand(['config', '--print']));
  });

  it('refuses words that a command does not take, and shows what there is', () => {
    for (const words of [
      ['serve', '--port=4000'],
      ['all', 'work'],
      ['migrate', '--to', '3'],
      ['config', '--prnt'],
    ])
      assert.throws(
        () => readCommand(words),
        refused(/does not take «[^»]+»\.\n\nspaceport-server \[command\]/u),
      );
    assert.throws(() => readCommand(['start']), refused(/«start» is not a command/u));
  });

  it('shows how it is called, also behind a command', () => {
    for (const words of [
      ['help'],
      ['--help'],
      ['-h'],
      ['serve', '--help'],
      ['migrate', '-h'],
      ['config', '--help'],
    ])
      assert.deepEqual(readCommand(words), { name: 'help' }, words.join(' '));
    assert.match(usage, /admin help/u);
  });

  it('of admin shows how one call is called, on request and beside a wrong option', async (context) => {
    const log = context.mock.method(console, 'log', () => {});
    const shown = /^ {2}verify \[--repair[^\n]*\n {6}Compares every stored file[^\n]*$/u;
    for (const words of [
      ['verify', '--help'],
      ['verify', '--repair', '-h'],
    ]) {
      log.mock.resetCalls();
      await admin(words, {});
      assert.equal(log.mock.callCount(), 1);
      assert.match(String(log.mock.calls[0]?.arguments[0]), shown);
    }
    await assert.rejects(
      admin(['backup', '--to', ''], {}),
      refused(/^admin backup: --to is empty\.\n\n {2}backup \[--to PLACE\]/u),
    );
    await assert.rejects(
      admin(['verify', '--reapir'], {}),
      refused(/^admin verify: Unknown option '--reapir'\.\n\n {2}verify \[--repair/u),
    );
  });
});
