import { ApiError } from '@spaceport/client/api-error';
import { useEffect, useState } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { useFocusOnProblem } from '../../../data/use-focus-on-problem.ts';
import { describeError, type ErrorText } from '../../../ui/describe-error.ts';
import { showToast } from '../../../ui/toast.tsx';
import { type ReadSpace, useOwnSpace } from '../own-space.tsx';
import {
  type Changes,
  changedNames,
  conflictsOf,
  type Editable,
  type EditableName,
  editableOf,
  noChanges,
  overwriting,
  toPatch,
  unsent,
  withChange,
} from './draft.ts';

export interface Draft {
  /** The space with the changes. */
  readonly shown: Editable;
  readonly changed: readonly EditableName[];
  /** Fields that were also changed elsewhere. Saving waits until the reader has decided about them. */
  readonly conflicts: readonly EditableName[];
  /** The current space, to show the other values of a conflict. */
  readonly now: Editable;
  readonly problems: Readonly<Record<string, string>>;
  readonly failure: ErrorText | null;
  readonly busy: boolean;
  readonly change: (part: Partial<Editable>) => void;
  readonly discard: () => void;
  /** Drops the reader's changes to the fields in conflict. */
  readonly takeTheirs: () => void;
  /** Saves the changes. In a conflict it overwrites the other ones. */
  readonly save: () => void;
}

const mostTries = 5;

/**
 * Edits the space of this page. A save names the state that it changes (If-Match), so that two tabs never
 * overwrite each other. Changes made elsewhere are merged if they are to other fields; otherwise the reader
 * is asked.
 */
export function useDraft(): Draft {
  const { space, etag, set, reload } = useOwnSpace();
  const [changes, setChanges] = useState<Changes>(noChanges);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [untold, setUntold] = useState<readonly Partial<Editable>[]>([]);
  const noteSender = useFocusOnProblem(failure);
  const now = editableOf(space);
  const changed = changedNames(changes);
  const isChanged = changed.length > 0;

  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged]);

  const send = async (wanted: Changes, read: ReadSpace, tries: number): Promise<void> => {
    let etagNow = '';
    try {
      const saved = await client.changeSpace(
        { params: { slug: space.slug }, body: toPatch(wanted) },
        {
          headers: { 'if-match': read.etag },
          onHeaders: (headers) => {
            etagNow = headers.get('etag') ?? '';
          },
        },
      );
      setChanges((before) => unsent(before, wanted, editableOf(saved)));
      setUntold([]);
      set({ space: saved, etag: etagNow });
      showToast('Saved.');
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'precondition_failed') throw error;
      const fresh = await reload();
      if (conflictsOf(wanted, editableOf(fresh.space), untold).length > 0) return;
      // Only other fields were changed, or a version went live, so the changes can be sent again.
      if (tries === mostTries) throw error;
      await send(wanted, fresh, tries + 1);
    }
  };

  const save = () => {
    if (busy || !isChanged) return;
    noteSender();
    const wanted = overwriting(changes, now);
    setChanges(wanted);
    setFailure(null);
    // A save without an answer was one all the same, or somebody else has made the same changes.
    if (changedNames(wanted).length === 0) return showToast('Saved.');
    setBusy(true);
    send(wanted, { space, etag }, 1)
      .catch((error: unknown) => {
        setFailure(error);
        setUntold((before) => [...before, wanted.to]);
      })
      .finally(() => setBusy(false));
  };

  const conflicts = conflictsOf(changes, now, untold);
  const told = failure === null ? null : describeError(failure);
  return {
    shown: { ...now, ...changes.to },
    changed,
    conflicts,
    now,
    problems: told?.problems ?? {},
    failure: told,
    busy,
    change: (part) => setChanges((before) => withChange(before, now, part)),
    discard: () => {
      setChanges(noChanges);
      setFailure(null);
    },
    takeTheirs: () => {
      const from = { ...changes.from };
      const to = { ...changes.to };
      for (const name of conflicts) {
        delete from[name];
        delete to[name];
      }
      setChanges({ from, to });
    },
    save,
  };
}
