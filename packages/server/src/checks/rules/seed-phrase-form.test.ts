import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from './checked-files.fixture.ts';
import { seedPhraseForm } from './seed-phrase-form.ts';

const refused: Readonly<Record<string, string>> = {
  'a label': '<label>Secret recovery phrase</label><textarea></textarea>',
  'a placeholder': '<input placeholder="Enter your seed phrase">',
  'a sentence before the field':
    '<p>To go on, please enter your 12-word recovery phrase. It stays safe.</p><p>We never share it.</p><input>',
  'a private key beside talk of wallets': '<h1>Connect your wallet</h1><input aria-label="Private key">',
  'words of a mnemonic': '<h2>Import wallet</h2><p>Type your mnemonic</p><div contenteditable></div>',
  'invisible characters': '<label>Se\u200bed&nbsp;phr<b>a</b>se</label> <textarea></textarea>',
  'other letters of the same shape': '<label>\uff33\uff45\uff45\uff44 phrase</label><textarea></textarea>',
  'twelve fields': `<p>Restore your wallet: fill in your seed words</p>${'<input name="w">'.repeat(12)}`,
  'a prompt': '<script>const words = prompt("Enter your seed phrase to claim")</script>',
  'markup in a script':
    '<script>root.innerHTML = `<textarea placeholder="Secret recovery phrase"></textarea>`</script>',
  'a component': '<script>h("textarea", { placeholder: "Your 24-word phrase" })</script>',
  'a component beside its text':
    '<script>h("div", null, h("p", null, "Enter your secret recovery phrase to continue"), h("input"))</script>',
};

for (const [what, page] of Object.entries(refused)) {
  test(`a wallet's secret asked for by ${what} is refused`, async () => {
    assert.equal((await judge(seedPhraseForm, 'index.html', page))?.severity, 'refuse');
  });
}

test('a request for a secret is refused in a script file of its own', async () => {
  const script =
    'const f = document.createElement("textarea"); f.placeholder = "Recovery phrase"; document.body.append(f);';
  assert.equal((await judge(seedPhraseForm, 'ui.js', script))?.severity, 'refuse');
});

const harmless: Readonly<Record<string, string>> = {
  'a garden': '<p>Plant a seed. Every phrase of the song makes it grow.</p><input placeholder="Your name">',
  'a story of a key':
    '<p>The gardener hid a private key under the bench. Find it!</p>Your name: <input name="player">',
  'a story of a seed phrase without a field': '<p>She whispered the seed phrase, and the wallet opened.</p>',
  'a world seed': '<label>World seed</label><input name="seed">',
  'a song': '<p>Enter the next phrase of the song.</p><input>',
  'a far-off mention': `<p>Never tell anybody your recovery phrase.</p>${'<p>Some other text of the page.</p>'.repeat(20)}<input>`,
  'a button': '<p>What is a recovery phrase?</p><button>Next</button>',
};

for (const [what, page] of Object.entries(harmless)) {
  test(`${what} is let through`, async () => {
    assert.equal(await judge(seedPhraseForm, 'index.html', page), null);
  });
}

test('words that a game may use itself are only mentioned', async () => {
  const pages = [
    '<label>Seed phrase (the dungeon is generated from it)</label><input>',
    '<label>Enter the private key to open the vault</label><input>',
  ];
  for (const page of pages)
    assert.equal((await judge(seedPhraseForm, 'index.html', page))?.severity, 'warn', page);
});
