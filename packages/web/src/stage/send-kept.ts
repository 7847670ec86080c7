import { type Entries, isSame } from '@spaceport/contract/storage-mirror';
import { begun, type Kept, refused, sent, type Theirs } from './kept-rules.ts';
import { type KeptSlot, OtherKept } from './kept-slot.ts';
import { isPassing } from './send-outbox.ts';

export interface SendKeptOptions {
  readonly slot: KeptSlot;
  /** Changes the storage that this browser keeps for the account. */
  readonly change: (by: (before: Kept | null) => Kept | null) => Promise<Kept | null>;
  /** Called with another storage of the account that a write has replaced. */
  readonly onReplaced: (theirs: Theirs) => void;
}

/**
 * Writes the unsent changes to the account. Only one tab may do so at a time.
 * @throws the service's errors
 */
export async function sendKept({ slot, change, onReplaced }: SendKeptOptions): Promise<void> {
  const send = async (kept: Kept | null) => {
    if (!kept?.sending) return;
    const { entries, base } = kept.sending;
    try {
      const version = await putOver(slot, entries, base, (theirs) => {
        if (!isSame(theirs.entries, entries)) onReplaced(theirs);
      });
      await change((now) => now && sent(now, version));
    } catch (error) {
      // A refusal for good. One that passes says nothing of an earlier try of this write, which may be stored.
      if (!isPassing(error)) await change((now) => now && refused(now));
      throw error;
    }
  };
  // A write that was not answered is repeated before newer changes: if the account has it, they follow it.
  await send(await change((now) => now));
  await send(await change((now) => now && begun(now)));
}

/**
 * Writes the slot, whatever it has. If the write is refused, the service has seen both storages, and keeps
 * the one that the next write replaces.
 * @param onReplaced called with the account's storage after it was refused, even if the next write fails:
 * when that is repeated, it may be stored already, and is not refused again
 */
export async function putOver(
  slot: KeptSlot,
  entries: Entries,
  base: number,
  onReplaced: (theirs: Theirs) => void = () => {},
): Promise<number> {
  try {
    return await slot.put(entries, base);
  } catch (error) {
    if (!(error instanceof OtherKept)) throw error;
    const { theirs } = error;
    try {
      return await slot.put(entries, theirs?.version ?? 0);
    } finally {
      if (theirs) onReplaced(theirs);
    }
  }
}
