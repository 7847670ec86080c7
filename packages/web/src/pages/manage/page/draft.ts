import type { OwnSpace } from '@spaceport/contract/listing';
import type { PageSettings, SpacePatch } from '@spaceport/contract/spaces';
import { type FieldsDraft, fieldsOf } from '../../../ui/fields-draft.ts';

/** All editable fields of a space, in a flat object. */
export interface Editable extends FieldsDraft, Omit<PageSettings, 'accent'> {
  readonly accent: string;
}
export type EditableName = keyof Editable;

/** The changed fields: each with its value before the change, and its new value. */
export interface Changes {
  readonly from: Partial<Editable>;
  readonly to: Partial<Editable>;
}

export const noChanges: Changes = { from: {}, to: {} };

export function editableOf(space: OwnSpace): Editable {
  const { accent, ...page } = space.page;
  return { ...fieldsOf(space), ...page, accent: accent ?? '' };
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

// The keys of a partial Editable are keys of Editable.
const namesOf = (part: Partial<Editable>) => Object.keys(part) as EditableName[];

/** Adds to the changes. A field that has its old value again is removed from them. */
export function withChange(changes: Changes, base: Editable, part: Partial<Editable>): Changes {
  const from = { ...changes.from };
  const to = { ...changes.to, ...part };
  for (const name of namesOf(part)) {
    if (!(name in from)) Object.assign(from, { [name]: base[name] });
    if (!same(from[name], to[name])) continue;
    delete from[name];
    delete to[name];
  }
  return { from, to };
}

export function changedNames({ to }: Changes): EditableName[] {
  return namesOf(to);
}

/**
 * Returns the changed fields that were also changed elsewhere, to another value.
 * @param untold what was sent before, and may have been saved although no answer told so
 */
export function conflictsOf(
  { from, to }: Changes,
  now: Editable,
  untold: readonly Partial<Editable>[] = [],
): EditableName[] {
  return namesOf(to).filter((name) =>
    [from, to, ...untold].every((known) => !(name in known) || !same(known[name], now[name])),
  );
}

/** Returns the changes based on the current state: saving them overwrites it. */
export function overwriting({ to }: Changes, now: Editable): Changes {
  return namesOf(to).reduce((changes, name) => withChange(changes, now, { [name]: to[name] }), noChanges);
}

/**
 * Returns the changes that were made while `sent` was saved. Those of fields that were sent are changes of the
 * saved state; the other fields may have been changed elsewhere meanwhile.
 */
export function unsent({ from, to }: Changes, sent: Changes, saved: Editable): Changes {
  return namesOf(to)
    .filter((name) => !same(to[name], name in sent.to ? sent.to[name] : saved[name]))
    .reduce((changes, name) => {
      const base = name in sent.to ? saved : { ...saved, ...from };
      return withChange(changes, base, { [name]: to[name] });
    }, noChanges);
}

const emptyIsNone = new Set<EditableName>(['description', 'engine', 'how_made', 'source_url']);
const pageNames = new Set<EditableName>(['accent', 'links', 'show_boards', 'show_how_made', 'unlisted']);

/** Returns the body that saves the changes. Emptied texts and empty links are removed. */
export function toPatch({ to }: Changes): SpacePatch {
  const fields: Record<string, unknown> = {};
  const page: Record<string, unknown> = {};
  for (const name of namesOf(to)) {
    const value = to[name];
    if (name === 'accent') page.accent = value === '' ? null : value;
    else if (name === 'links')
      page.links = to.links?.filter(({ label, url }) => label.trim() !== '' || url.trim() !== '');
    else if (pageNames.has(name)) page[name] = value;
    else fields[name] = emptyIsNone.has(name) && value === '' ? null : value;
  }
  return { ...fields, ...(Object.keys(page).length === 0 ? {} : { page }) };
}

export const fieldLabels: Readonly<Record<EditableName, string>> = {
  title: 'title',
  space_type: 'type',
  devices: 'devices',
  description: 'description',
  engine: 'engine',
  ai_tools: 'AI tools',
  models: 'models',
  tags: 'tags',
  how_made: 'how it was made',
  source_url: 'source code',
  accent: 'colour',
  links: 'links',
  show_boards: 'whether boards are shown',
  show_how_made: 'whether it says how it was made',
  unlisted: 'whether it is in the gallery',
};
