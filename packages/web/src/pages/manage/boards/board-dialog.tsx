import type { Board } from '@spaceport/contract/boards';
import { boardPeriods } from '@spaceport/contract/declarations';
import { useState } from 'react';
import { client } from '../../../data/client.ts';
import { useAction } from '../../../data/use-action.ts';
import { FormDialog } from '../../../ui/dialog.tsx';
import { Check, Field, Select } from '../../../ui/field.tsx';
import '../../../ui/space-fields.css';
import { Notice } from '../../../ui/surfaces.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { keepOptions, metricOptions, periodLabels, sortOptions, trustOptions } from './labels.ts';
import { besideFields, notNumbers, problemsOfOne, toNumber } from './numbers.ts';

type Period = Board['periods'][number];

/** Adds a board, or writes one anew: a write is of the whole board. */
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
  const [key, setKey] = useState(board?.key ?? '');
  const [title, setTitle] = useState(board?.title ?? '');
  const [metric, setMetric] = useState<Board['metric']>(board?.metric ?? 'score');
  const [sort, setSort] = useState<Board['sort'] | ''>(board?.sort ?? '');
  const [keep, setKeep] = useState<Board['keep']>(board?.keep ?? 'best');
  const [trust, setTrust] = useState<Board['trust']>(board?.trust ?? 'client');
  const [periods, setPeriods] = useState<readonly Period[]>(board?.periods ?? ['all']);
  const [unit, setUnit] = useState(board?.unit ?? '');
  const [decimals, setDecimals] = useState(String(board?.decimals ?? 0));
  const [min, setMin] = useState(board?.min == null ? '' : String(board.min));
  const [max, setMax] = useState(board?.max == null ? '' : String(board.max));
  const [own, setOwn] = useState<Readonly<Record<string, string>>>({});
  const { run, busy, failure } = useAction(async () => {
    const wrong = {
      ...notNumbers({ decimals, min, max }),
      ...(board === null && taken.includes(key)
        ? { key: 'There is a board with this key: edit that one.' }
        : {}),
    };
    setOwn(wrong);
    if (Object.keys(wrong).length > 0) return;
    await client.putBoards({
      params: { slug },
      body: {
        boards: [
          {
            key,
            ...(title.trim() === '' ? {} : { title }),
            metric,
            ...(sort === '' ? {} : { sort }),
            keep,
            trust,
            periods: [...periods],
            unit: unit.trim() === '' ? null : unit,
            decimals: toNumber(decimals) ?? 0,
            min: toNumber(min),
            max: toNumber(max),
          },
        ],
      },
    });
    onSaved();
    onClose();
    showToast(board === null ? 'The board is there.' : 'Saved.');
  });
  const problems = { ...problemsOfOne(failure?.problems ?? {}, 'boards'), ...own };
  const samePeriods = board !== null && [...board.periods].sort().join() === [...periods].sort().join();
  const reranks =
    board !== null && board.entries > 0 && (sort !== board.sort || keep !== board.keep || !samePeriods);
  return (
    <FormDialog
      title={board === null ? 'Add a board' : `Edit ${board.title}`}
      wide
      onClose={onClose}
      action={board === null ? 'Add it' : 'Save'}
      busy={busy}
      failure={besideFields(failure, problems)}
      onSubmit={run}
    >
      {board?.source === 'page' && (
        <Notice>
          Your page declares this board. What you change here holds until the next sync or publish that names
          it: change it there too.
        </Notice>
      )}
      <div className="form-grid">
        <Field
          label="Key"
          hint={
            board === null
              ? 'What your code calls it. It cannot be changed later.'
              : 'What your code calls it.'
          }
          value={key}
          disabled={board !== null}
          spellCheck={false}
          autoFocus={board === null}
          problem={problems.key}
          onChange={({ target }) => setKey(target.value)}
        />
        <Field
          label="Title"
          hint="What players read; the key where empty."
          value={title}
          problem={problems.title}
          onChange={({ target }) => setTitle(target.value)}
        />
        <Select
          label="What is measured"
          value={metric}
          options={metricOptions}
          problem={problems.metric}
          // The options of each of these are its values and nothing else.
          onChange={({ target }) => setMetric(target.value as Board['metric'])}
        />
        <Select
          label="Order"
          value={sort}
          options={board === null ? sortOptions : sortOptions.slice(1)}
          problem={problems.sort}
          onChange={({ target }) => setSort(target.value as Board['sort'] | '')}
        />
        <Select
          label="What stands for a player"
          value={keep}
          options={keepOptions}
          problem={problems.keep}
          onChange={({ target }) => setKeep(target.value as Board['keep'])}
        />
        <Select
          label="Who may post"
          value={trust}
          options={trustOptions}
          problem={problems.trust}
          onChange={({ target }) => setTrust(target.value as Board['trust'])}
        />
        <Field
          label="Unit"
          hint="Shown after the score: m, pts…"
          value={unit}
          problem={problems.unit}
          onChange={({ target }) => setUnit(target.value)}
        />
        <Field
          label="Decimals"
          hint="0 to 6."
          inputMode="numeric"
          value={decimals}
          problem={problems.decimals}
          onChange={({ target }) => setDecimals(target.value)}
        />
        <Field
          label="Least possible score"
          hint="Lower ones are refused. Empty: no limit."
          inputMode="decimal"
          value={min}
          problem={problems.min}
          onChange={({ target }) => setMin(target.value)}
        />
        <Field
          label="Greatest possible score"
          hint="Higher ones are refused. Empty: no limit."
          inputMode="decimal"
          value={max}
          problem={problems.max}
          onChange={({ target }) => setMax(target.value)}
        />
      </div>
      <fieldset className="field">
        <legend className="label">Rankings</legend>
        <div className="check-row">
          {boardPeriods.map((period) => (
            <Check
              key={period}
              label={periodLabels[period]}
              checked={periods.includes(period)}
              onChange={({ target }) =>
                setPeriods(target.checked ? [...periods, period] : periods.filter((each) => each !== period))
              }
            />
          ))}
        </div>
        {problems.periods && <p className="error">{problems.periods}</p>}
        <p className="hint">
          Each is a ranking of its own, in UTC; past days, weeks and months stay readable.
        </p>
      </fieldset>
      {reranks && (
        <Notice tone="warn">
          {board.entries.toLocaleString('en')} {board.entries === 1 ? 'player is' : 'players are'} ranked
          again from the scores they posted.
        </Notice>
      )}
    </FormDialog>
  );
}
