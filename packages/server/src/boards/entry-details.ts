import { toTimestamp } from '../platform/clock/clock.ts';
import type { Announcements } from '../platform/db/announcements.ts';
import type { Database } from '../platform/db/database.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { shownThing } from '../platform/db/shown.ts';
import { type DetailsRead, type EntryDetails, findDetails } from './entry-details.queries.ts';

/** The most entries that are kept, at about 250 bytes each. */
const mostKept = 65_536;

/** What a page shows of an entry besides its place, as the API writes it. */
export interface ShownDetails {
  readonly player_id: AccountId;
  /** Empty if the account was deleted. */
  readonly handle: string;
  readonly submitted_at: string;
}

interface Person {
  readonly id: AccountId;
  readonly handle: string;
  /** True after the account has changed. */
  isOutdated: boolean;
}

interface KeptEntry {
  readonly person: Person;
  readonly submitted_at: string;
}

/**
 * Keeps the details of the entries that were read, because looking up twenty accounts and submissions takes as
 * long as finding a page and counting its ranks (docs/decisions/0027). An entry is found by the number of its
 * submission alone: looking up the texts that are ids of accounts takes longer than all else here. A submission
 * never changes. A handle is dropped when its account changes.
 */
class KeptDetails {
  readonly #people = new Map<AccountId, Person>();
  readonly #byHandle = new Map<string, Person>();
  readonly #entries = new Map<number, KeptEntry>();
  // Counts the announced changes, so that what was read before one is not kept after it.
  #changes = 0;

  constructor(announcements: Announcements) {
    announcements.listen(shownThing, (tag) => {
      if (tag === '*') this.#clear();
      else if (!tag.startsWith(personTag)) return;
      // The rest of the tag is the id of an account.
      else this.#drop(tag.slice(personTag.length) as AccountId);
      this.#changes += 1;
    });
  }

  get changes(): number {
    return this.#changes;
  }

  get(submissionId: number): ShownDetails | null {
    const kept = this.#entries.get(submissionId);
    if (kept === undefined || kept.person.isOutdated) return null;
    const { person, submitted_at } = kept;
    return { player_id: person.id, handle: person.handle, submitted_at };
  }

  playerOf(handle: string): AccountId | undefined {
    return this.#byHandle.get(handle)?.id;
  }

  keep(submissionId: number, { player_id, handle, submitted_at }: ShownDetails): void {
    if (this.#entries.size >= mostKept) this.#clear();
    const person = this.#people.get(player_id) ?? { id: player_id, handle, isOutdated: false };
    this.#people.set(player_id, person);
    if (person.handle !== '') this.#byHandle.set(person.handle, person);
    this.#entries.set(submissionId, { person, submitted_at });
  }

  #drop(accountId: AccountId): void {
    const known = this.#people.get(accountId);
    if (!known) return;
    known.isOutdated = true;
    this.#people.delete(accountId);
    this.#byHandle.delete(known.handle);
  }

  #clear(): void {
    this.#people.clear();
    this.#byHandle.clear();
    this.#entries.clear();
  }
}

const personTag = 'person:';

const kept = new WeakMap<Announcements, KeptDetails>();

function keptOf(announcements: Announcements): KeptDetails {
  const known = kept.get(announcements) ?? new KeptDetails(announcements);
  kept.set(announcements, known);
  return known;
}

/** Returns the player with this handle if an entry of the player is kept. */
export function keptPlayer(
  { announcements }: Pick<Database, 'announcements'>,
  handle: string,
): AccountId | undefined {
  return keptOf(announcements).playerOf(handle);
}

/**
 * Returns the details of each of these entries: those that were read with it or are kept, and the others from one
 * statement. Null for an entry whose submission was deleted meanwhile.
 */
export async function detailsOf(
  { db, announcements }: Pick<Database, 'db' | 'announcements'>,
  entries: readonly (DetailsRead & { readonly submission_id: number })[],
): Promise<(ShownDetails | null)[]> {
  const known = keptOf(announcements);
  const details: (ShownDetails | null)[] = [];
  const missing: number[] = [];
  for (const entry of entries) {
    const found = readAlready(entry) ?? known.get(entry.submission_id);
    details.push(found);
    if (found === null && entry.created_at !== null) missing.push(entry.submission_id);
  }
  if (missing.length === 0) return details;
  const { changes } = known;
  const rows = new Map((await findDetails(db, missing)).map((row) => [row.submission_id, row]));
  for (const [at, { submission_id }] of entries.entries()) {
    const row = rows.get(submission_id);
    if (details[at] !== null || row === undefined) continue;
    const shown = show(row);
    details[at] = shown;
    if (known.changes === changes) known.keep(submission_id, shown);
  }
  return details;
}

function readAlready({ player_id, handle, created_at }: DetailsRead): ShownDetails | null {
  if (player_id === undefined || handle === undefined) return null;
  if (created_at === undefined || created_at === null) return null;
  return show({ player_id, handle, created_at });
}

function show({ player_id, handle, created_at }: EntryDetails): ShownDetails {
  return { player_id, handle: handle ?? '', submitted_at: toTimestamp(created_at) };
}
