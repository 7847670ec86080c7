import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renamePasskey } from '@spaceport/contract/account-access';
import { putAchievements } from '@spaceport/contract/achievements';
import { putBoards } from '@spaceport/contract/boards';
import { createVersion } from '@spaceport/contract/hosting';
import { changeSpace, listSpace } from '@spaceport/contract/listing';
import { renameAccount } from '@spaceport/contract/own-account';
import { createToken } from '@spaceport/contract/own-tokens';
import { issueOf, parseWith } from '@spaceport/contract/parse';
import fc from 'fast-check';
import type { z } from 'zod';
import { fieldLabel, fieldSentence } from './field-words.ts';

const sentencesOf = (schema: z.ZodType, value: unknown) => {
  const parsed = parseWith(schema, value);
  return parsed.success
    ? {}
    : Object.fromEntries(
        parsed.problems
          .map(issueOf)
          .map(({ path, message }) => [fieldLabel(path), fieldSentence(path, message)]),
      );
};

describe('the message for a field of a form', () => {
  it('says what to enter', () => {
    assert.deepEqual(sentencesOf(listSpace.body, { url: 'abc', title: '', space_type: '', devices: [] }), {
      Title: 'Write a title of 1 to 80 characters.',
      Type: 'Choose what it is.',
      Devices: 'Choose at least one device that it is made for.',
      Address: 'Write a whole address, https://example.com/ for example.',
    });
    const board = { key: '', decimals: 9, min: 5, max: 1, periods: [] };
    const { 'Key of board 1': key, 'Decimals of board 1': decimals } = sentencesOf(putBoards.body, {
      boards: [board],
    });
    assert.match(key ?? '', /^Start with a small letter/u);
    assert.equal(decimals, 'Write a whole number from 0 to 6.');
    const bounds = sentencesOf(putBoards.body, { boards: [{ key: 'a', min: 5, max: 1 }] });
    assert.match(bounds['Least possible score of board 1'] ?? '', /at most the greatest/u);
    const achievement = { key: 'a', icon: 'x', points: 5_000, trigger: { stat: '', atLeast: 1 } };
    assert.deepEqual(sentencesOf(putAchievements.body, { achievements: [achievement] }), {
      'Icon of achievement 1':
        'Write an address that starts with https, https://example.com/icon.png for example.',
      'Points of achievement 1': 'Write a whole number from 0 to 1,000.',
      'Unlocked by of achievement 1': 'Choose a stat, or «The game itself».',
    });
  });

  it('names the length limit of its own field', () => {
    const long = { name: 'x'.repeat(81) };
    const lengths = (schema: z.ZodType, most: number) =>
      assert.equal(sentencesOf(schema, long).Name, `Write a name of 1 to ${most} characters.`);
    lengths(createToken.body, 80);
    lengths(renamePasskey.body, 60);
    lengths(renameAccount.body, 60);
    assert.equal(sentencesOf(renameAccount.body, {}).Name, 'Write a name.');
  });

  it('keeps the service’s own words where only the service knows the reason', () => {
    assert.equal(fieldSentence('email', 'has an account already'), 'It has an account already.');
    assert.equal(fieldSentence('handle', 'is taken'), 'It is taken.');
    assert.equal(
      fieldSentence('url', 'must be the http or https address of a page on the public web'),
      'It must be the http or https address of a page on the public web.',
    );
    assert.equal(
      fieldSentence('password', 'must be at least 10 characters'),
      'It must be at least 10 characters.',
    );
  });

  it('is a sentence without the words of a validator, whatever was typed', () => {
    const bodies = [
      listSpace.body,
      putBoards.body,
      putAchievements.body,
      changeSpace.body,
      createVersion.body,
    ];
    const text = fc.oneof(fc.string(), fc.constantFrom('', 'x'.repeat(5_000), '#12', 'http://'), fc.double());
    const entry = fc.dictionary(
      fc.constantFrom('key', 'title', 'label', 'sort', 'min', 'icon', 'points', 'periods'),
      text,
    );
    const sent = fc.record(
      {
        url: text,
        title: text,
        space_type: text,
        devices: fc.array(text),
        boards: fc.array(entry),
        stats: fc.array(entry),
        achievements: fc.array(entry),
        models: fc.array(text),
        page: fc.record({ accent: text }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom<z.ZodType>(...bodies), sent, (schema, value) => {
        for (const [label, sentence] of Object.entries(sentencesOf(schema, value))) {
          assert.doesNotMatch(label, /[._]|^\d/u);
          assert.match(sentence, /^[A-Z]/u);
          assert.doesNotMatch(sentence, /Invalid|expected|must be one of|must match|invalid|null|undefined/u);
        }
      }),
    );
  });
});
