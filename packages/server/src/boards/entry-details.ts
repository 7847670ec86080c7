import type { Announcements } from '../platform/db/announcements.ts';
import type { Database } from '../platform/db/database.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { shownThing } from '../platform/db/shown.ts';
import { type EntryDetails, findDetails, type NamedEntry } from './entry-details.queries.ts';

/** The most accounts and the most submissions that are kept, at about 100 bytes each. */
const mostKept = 65_536;

/**
 * Keeps the details of the entries that were read, because looking up twenty accounts and submissions takes as
 * long as finding a page and counting its ranks (docs/decisions/0027). The time of a submission never changes. A
 * handle is dropped when its account changes.
 */
class KeptDetails {
  readonly #handles = new Map<AccountId, string | null>();
  readonly #times = new Map<number, number>();
  // Counts the announced changes, so that what was read before one is not kept after it.
  #changes = 0;

  constructor(announcements: Announcements) {
    announcements.listen(shownThing, (tag) => {
      if (tag === '*') this.#handles.clear();
      else if (!tag.startsWith(person)) return;
      // The rest of the tag is the id of an account.
      else this.#handles.delete(tag.slice(person.length) as AccountId);
      this.#changes += 1;
    });
  }

  get changes(): number {
    return this.#changes;
  }

  get({ player_id, submission_id }: NamedEntry): EntryDetails | null {
    const handle = this.#handles.get(player_id);
    const created_at = this.#times.get(submission_id);
    return handle === undefined || created_at === undefined ? null : { handle, created_at };
  }

  keep({ player_id, submission_id }: NamedEntry, { handle, created_at }: EntryDetails): void {
    if (this.#handles.size >= mostKept) this.#handles.clear();
    if (this.#times.size >= mostKept) this.#times.clear();
    this.#handles.set(player_id, handle);
    this.#times.set(submission_id, created_at);
  }
}

const person = 'person:';

const kept = new WeakMap<Announcements, KeptDetails>();

/**
 * Returns the details of each of these entries: those that were read with it or are kept, and the others from one
 * statement. Null for an entry whose submission was deleted meanwhile.
 */
export async function detailsOf(
  { db, announcements }: Pick<Database, 'db' | 'announcements'>,
  entries: readonly (NamedEntry & Partial<EntryDetails>)[],
): Promise<(EntryDetails | null)[]> {
  let known = kept.get(announcements);
  if (!known) {
    known = new KeptDetails(announcements);
    kept.set(announcements, known);
  }
  const details: (EntryDetails | null)[] = [];
  const missing: NamedEntry[] = [];
  for (const entry of entries) {
    const found = readAlready(entry) ?? known.get(entry);
    details.push(found);
    if (found === null) missing.push(entry);
  }
  if (missing.length === 0) return details;
  const { changes } = known;
  const rows = new Map((await findDetails(db, missing)).map((row) => [row.submission_id, row]));
  for (const [at, entry] of entries.entries()) {
    const row = rows.get(entry.submission_id);
    if (details[at] !== null || row === undefined) continue;
    details[at] = row;
    if (known.changes === changes) known.keep(entry, row);
  }
  return details;
}

function readAlready({ handle, created_at }: Partial<EntryDetails>): EntryDetails | null {
  return handle === undefined || created_at === undefined ? null : { handle, created_at };
}
