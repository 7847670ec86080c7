import type { Board } from '@spaceport/contract/boards';
import { boardPeriods } from '@spaceport/contract/declarations';
import { useState } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { FieldsDialog } from '../../../ui/fields-dialog.tsx';
import {
  chosenOf,
  type FormField,
  givenOf,
  notAmong,
  number,
  numberOf,
  tickedOf,
} from '../../../ui/form-field.tsx';
import { textOf } from '../../../ui/form-page.tsx';
import { Notice } from '../../../ui/surfaces.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { keepOptions, metricOptions, periodLabels, sortOptions, trustOptions } from './labels.ts';

/** Adds or changes a board. All its fields are sent. */
export function BoardDialog({
  slug,
  board,
  taken,
  onClose,
  onSaved,
}: {
  slug: string;
  /** Null for a new one. */
  board: Board | null;
  taken: readonly string[];
  onClose: () => void;
  onSaved: () => void;
}) {
  const [reranks, setReranks] = useState(false);
  const send = async (sent: FormData) => {
    const changed = boardOf(sent, board?.key ?? textOf(sent, 'key'));
    await client.putBoards({ params: { slug }, body: { boards: [changed] } });
    onSaved();
    showToast(board === null ? 'The board is there.' : 'Saved.');
  };
  return (
    <FieldsDialog
      title={board === null ? 'Add a board' : `Edit ${board.title}`}
      wide
      grid
      fields={fieldsOf(board, taken)}
      action={board === null ? 'Add it' : 'Save'}
      onSend={send}
      onChange={(form) => setReranks(board !== null && ranksOtherwise(form, board))}
      onClose={onClose}
      below={
        reranks &&
        board !== null && (
          <Notice tone="warn">
            {board.entries.toLocaleString('en')} {board.entries === 1 ? 'player is' : 'players are'} ranked
            again from the scores they posted.
          </Notice>
        )
      }
    >
      {board?.source === 'page' && (
        <Notice>
          Your page declares this board. Your changes here last until the next sync or publish that names it:
          change it there too.
        </Notice>
      )}
    </FieldsDialog>
  );
}

const fieldsOf = (board: Board | null, taken: readonly string[]): FormField[] => [
  {
    name: 'key',
    label: 'Key',
    hint: `The name that your code uses.${board === null ? ' It cannot be changed later.' : ''}`,
    defaultValue: board?.key,
    disabled: board !== null,
    spellcheck: false,
    check: notAmong(taken, 'There is a board with this key: edit that one.'),
  },
  {
    name: 'title',
    label: 'Title',
    hint: 'The text that players see. Empty: the key.',
    defaultValue: board?.title,
  },
  {
    is: 'select',
    name: 'metric',
    label: 'What is measured',
    options: metricOptions,
    defaultValue: board?.metric,
  },
  {
    is: 'select',
    name: 'sort',
    label: 'Order',
    options: board === null ? sortOptions : sortOptions.slice(1),
    defaultValue: board?.sort,
  },
  {
    is: 'select',
    name: 'keep',
    label: 'Which score counts',
    options: keepOptions,
    defaultValue: board?.keep,
  },
  { is: 'select', name: 'trust', label: 'Who may post', options: trustOptions, defaultValue: board?.trust },
  { name: 'unit', label: 'Unit', hint: 'Shown after the score: m, pts…', defaultValue: board?.unit ?? '' },
  {
    name: 'decimals',
    label: 'Decimals',
    hint: '0 to 6.',
    inputMode: 'numeric',
    defaultValue: board?.decimals ?? 0,
    check: number,
  },
  {
    name: 'min',
    label: 'Least possible score',
    hint: 'Lower ones are refused. Empty: no limit.',
    inputMode: 'decimal',
    defaultValue: board?.min ?? '',
    check: number,
  },
  {
    name: 'max',
    label: 'Greatest possible score',
    hint: 'Higher ones are refused. Empty: no limit.',
    inputMode: 'decimal',
    defaultValue: board?.max ?? '',
    check: number,
  },
  {
    name: 'min_seconds',
    label: 'Shortest run, in seconds',
    hint: 'Players can only post runs of at least this length. Empty: any score. Your server is exempt.',
    inputMode: 'numeric',
    defaultValue: board?.min_seconds ?? '',
    check: number,
  },
  {
    name: 'max_per_second',
    label: 'Highest score per second',
    hint: 'Faster runs are refused. Empty: no limit. Your server is exempt.',
    inputMode: 'decimal',
    defaultValue: board?.max_per_second ?? '',
    check: number,
  },
  {
    is: 'boxes',
    name: 'periods',
    label: 'Rankings',
    hint: 'Each is a ranking of its own, in UTC. Past days, weeks and months stay readable.',
    options: boardPeriods.map((period) => [period, periodLabels[period]]),
    ticked: board?.periods ?? ['all'],
  },
];

function boardOf(sent: FormData, key: string) {
  const title = givenOf(sent, 'title');
  const sort = chosenOf<Board['sort'] | ''>(sent, 'sort');
  return {
    key,
    ...(title !== null && { title }),
    metric: chosenOf<Board['metric']>(sent, 'metric'),
    ...(sort !== '' && { sort }),
    keep: chosenOf<Board['keep']>(sent, 'keep'),
    trust: chosenOf<Board['trust']>(sent, 'trust'),
    periods: tickedOf<Board['periods'][number]>(sent, 'periods'),
    unit: givenOf(sent, 'unit'),
    decimals: numberOf(sent, 'decimals') ?? 0,
    min: numberOf(sent, 'min'),
    max: numberOf(sent, 'max'),
    min_seconds: numberOf(sent, 'min_seconds'),
    max_per_second: numberOf(sent, 'max_per_second'),
  };
}

/** Returns whether a change would change the ranks of the board's players. */
function ranksOtherwise(form: FormData, { entries, sort, keep, periods }: Board): boolean {
  const samePeriods = [...periods].sort().join() === form.getAll('periods').sort().join();
  return entries > 0 && (form.get('sort') !== sort || form.get('keep') !== keep || !samePeriods);
}
