import assert from 'node:assert/strict';
import { test } from 'node:test';
import { versionOf } from './checked-files.fixture.ts';
import { foreignSecrets } from './foreign-secrets.ts';

// The samples are put together here, so that scanners do not report this file.
const many = (length: number) => 'a1B2'.repeat(100).slice(0, length);
const samples: Readonly<Record<string, string>> = {
  'access key of AWS': `${'AKIA'}IOSFODNN7EXAMPLE`,
  'token of GitHub': `${'ghp'}_${many(36)}`,
  'secret key of Stripe': `${'sk'}_live_${many(24)}`,
  'API key of Google': `${'AIza'}${many(35)}`,
  'client secret of Google': `${'GOCSPX'}-${many(28)}`,
  'token or webhook of Slack': `${'xoxb'}-123456789012-123456789012-${many(24)}`,
  'webhook of Discord': `https://discord.com/api/${'webhooks'}/123456789012345678/${many(68)}`,
  'API key of OpenAI or Anthropic': `${'sk'}-ant-api03-${many(90)}`,
  'token of npm': `${'npm'}_${many(36)}`,
  'private key': `-----BEGIN ${'RSA PRIVATE'} KEY-----\\n${many(64)}\\n`,
};

for (const [what, secret] of Object.entries(samples)) {
  test(`a ${what} is warned of with what to do, and the message does not repeat it`, async () => {
    const [finding, ...more] = await foreignSecrets.check(
      versionOf({ 'game.js': `const config = { key: "${secret}" };`, 'index.html': '<p>hello' }),
    );
    assert.deepEqual(more, []);
    assert.deepEqual([finding?.severity, finding?.path], ['warn', 'game.js']);
    assert.ok(finding?.message.includes(what), String(finding?.message));
    assert.match(String(finding?.fix), /revoke/iu);
    assert.ok(!JSON.stringify(finding).includes(secret.slice(0, 20)));
  });
}

test('text that only resembles a secret is let through', async () => {
  const version = versionOf({
    'a.js': [
      'AKIA is a prefix; xAKIAIOSFODNN7EXAMPLE9 is longer',
      'ghp_short',
      `sk_test_${many(24)}`,
      `pk_live_${many(24)}`,
      'AIzaShort',
      'npm_config_registry',
      'https://discord.com/invite/webhooks',
      // Libraries that read keys contain this.
      'const header = "-----BEGIN RSA PRIVATE KEY-----"; if (text.startsWith(header)) parse(text);',
    ].join('\n'),
  });
  assert.deepEqual(await foreignSecrets.check(version), []);
});
