import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changedNames,
  conflictsOf,
  type Editable,
  noChanges,
  overwriting,
  toPatch,
  unsent,
  withChange,
} from './draft.ts';

const base: Editable = {
  title: 'Moon',
  space_type: 'game',
  devices: ['desktop'],
  description: 'Old',
  engine: '',
  ai_tools: [],
  models: [],
  tags: [],
  how_made: '',
  source_url: '',
  accent: '',
  links: [],
  show_boards: true,
  show_how_made: true,
  unlisted: false,
};

test('a field that is changed back counts as unchanged', () => {
  const once = withChange(noChanges, base, { title: 'Sun' });
  assert.deepEqual(changedNames(once), ['title']);
  assert.deepEqual(changedNames(withChange(once, base, { title: 'Moon' })), []);
});

test('only fields that both sides changed to different values are in conflict', () => {
  const mine = withChange(noChanges, base, { title: 'Sun', engine: 'Godot', description: 'Mine' });
  const now = { ...base, title: 'Star', engine: 'Godot', how_made: 'By hand' };
  assert.deepEqual(conflictsOf(mine, now), ['title']);
  assert.deepEqual(conflictsOf(overwriting(mine, now), now), []);
  assert.deepEqual(changedNames(overwriting(mine, now)).sort(), ['description', 'title']);
});

test('what was changed during a save is a change of the saved state', () => {
  const sent = withChange(noChanges, base, { title: 'Sun ', description: 'New' });
  const now = withChange(sent, base, { description: 'New and more', engine: 'Godot' });
  const saved = { ...base, title: 'Sun', description: 'New' };
  assert.deepEqual(unsent(now, sent, saved), {
    from: { description: 'New', engine: '' },
    to: { description: 'New and more', engine: 'Godot' },
  });
});

test('what was changed during a save, also elsewhere, is in conflict', () => {
  const sent = withChange(noChanges, base, { title: 'Sun' });
  const now = withChange(sent, base, { engine: 'Godot', how_made: 'By hand' });
  const saved = { ...base, title: 'Sun', engine: 'Unity', how_made: 'By hand' };
  const left = unsent(now, sent, saved);
  assert.deepEqual(left, { from: { engine: '' }, to: { engine: 'Godot' } });
  assert.deepEqual(conflictsOf(left, saved), ['engine']);
});

test('what was saved without an answer is in no conflict with what was typed later', () => {
  const first = withChange(noChanges, base, { title: 'Sun' });
  const second = withChange(first, base, { title: 'Sun and moon' });
  const third = withChange(second, base, { title: 'Sun and moons' });
  const untold = [first.to, second.to];
  assert.deepEqual(conflictsOf(third, { ...base, title: 'Sun' }, untold), []);
  assert.deepEqual(conflictsOf(third, { ...base, title: 'Sun and moon' }, untold), []);
  assert.deepEqual(conflictsOf(third, { ...base, title: 'Star' }, untold), ['title']);
});

test('a save sends the changed fields alone, in the shape of the contract', () => {
  const changes = withChange(noChanges, base, {
    title: 'Sun',
    description: '',
    accent: '#112233',
    links: [
      { label: 'Wiki', url: 'https://example.org' },
      { label: '', url: ' ' },
    ],
  });
  assert.deepEqual(toPatch(changes), {
    title: 'Sun',
    description: null,
    page: { accent: '#112233', links: [{ label: 'Wiki', url: 'https://example.org' }] },
  });
  const cleared = withChange(noChanges, { ...base, accent: '#112233' }, { accent: '' });
  assert.deepEqual(toPatch(cleared), { page: { accent: null } });
});
