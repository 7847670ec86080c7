import type { SpaceError } from '@spaceport/contract/telemetry';
import { useState } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { useAnswerKey } from '../../../data/use-answer-key.ts';
import { useLoad } from '../../../data/use-load.ts';
import { usePages } from '../../../data/use-pages.ts';
import { ChoiceRow } from '../../../ui/choice-row.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { ShowMore } from '../../../ui/show-more.tsx';
import { Card, EmptyState, Skeleton } from '../../../ui/surfaces.tsx';
import { ErrorItem } from './error-item.tsx';

interface Shown {
  readonly slug: string;
  readonly env: 'live' | 'sandbox';
  readonly isResolved: boolean;
}

const ask = async (
  { slug, env, isResolved }: Shown,
  more: { cursor?: string; signal?: AbortSignal } = {},
) => {
  const { cursor, signal } = more;
  const query = {
    env,
    resolved: isResolved ? 'true' : 'false',
    ...(cursor !== undefined && { cursor }),
  } as const;
  const { errors, next } = await client.readErrors({ params: { slug }, query }, { signal });
  return { items: errors, next };
};

const which = [
  ['open', 'Open'],
  ['resolved', 'Resolved'],
] as const;

/** The errors of a space in players' browsers, the latest first. */
export function Errors({ slug, env }: Omit<Shown, 'isResolved'>) {
  const [isResolved, setResolved] = useState(false);
  const shown = { slug, env, isResolved };
  const { value, error, reload } = useLoad(`${slug} ${env} ${isResolved}`, (signal) =>
    ask(shown, { signal }),
  );
  const key = useAnswerKey(value);
  const choices = (
    <ChoiceRow
      label="Which errors"
      choices={which}
      chosen={isResolved ? 'resolved' : 'open'}
      onChoose={(choice) => setResolved(choice === 'resolved')}
    />
  );
  return (
    <Card title="Errors" actions={choices}>
      {error !== null ? (
        <ErrorState error={error} retry={reload} />
      ) : value === null ? (
        <Skeleton height={4} />
      ) : value.items.length === 0 ? (
        <EmptyState title={isResolved ? 'Nothing is marked as resolved' : 'No errors'} level={3}>
          <p className="quiet">
            {isResolved
              ? 'Errors that you mark as resolved are listed here, until they happen in a newer version.'
              : 'Errors that a script throws and does not catch during play are listed here.'}
          </p>
        </EmptyState>
      ) : (
        <List key={key} shown={shown} first={value} onChanged={reload} />
      )}
    </Card>
  );
}

function List({
  shown,
  first,
  onChanged,
}: {
  shown: Shown;
  first: { items: readonly SpaceError[]; next: string | null };
  onChanged: () => void;
}) {
  const pages = usePages(first, (cursor) => ask(shown, { cursor }));
  const [open, setOpen] = useState<string | null>(null);
  return (
    <div className="stack">
      <ul className="faults">
        {pages.items.map((error) => (
          <ErrorItem
            key={error.id}
            slug={shown.slug}
            error={error}
            isOpen={open === error.id}
            onToggle={() => setOpen(open === error.id ? null : error.id)}
            onChanged={onChanged}
          />
        ))}
      </ul>
      <ShowMore pages={pages} />
    </div>
  );
}
