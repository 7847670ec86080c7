import type { PlayedVersion, Quantiles } from '@spaceport/contract/telemetry';
import type { ReactNode } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { useLoad } from '../../../data/use-load.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Card, EmptyState, Skeleton } from '../../../ui/surfaces.tsx';
import { Table } from '../../../ui/table.tsx';
import { Bytes, Num } from '../../../ui/text.tsx';

interface Of {
  readonly slug: string;
  readonly env: 'live' | 'sandbox';
}

/** Loads and plays of each version. */
export function Plays({ slug, env }: Of) {
  const { value, error, reload } = useLoad(`${slug} ${env}`, (signal) =>
    client.readTelemetry({ params: { slug }, query: { env } }, { signal }),
  );
  if (error !== null) return <ErrorState error={error} retry={reload} />;
  return (
    <Card title="How it loads and plays">
      {value === null ? (
        <Skeleton height={8.4} />
      ) : value.versions.length === 0 ? (
        <EmptyState title="Nobody has loaded it yet" level={3}>
          <p className="quiet">
            Each version is listed here once somebody plays it on its{' '}
            {env === 'live' ? 'page' : 'preview’s page'}.
          </p>
        </EmptyState>
      ) : (
        <>
          <Table
            label="Loads and play by version"
            rows={value.versions}
            keyOf={({ version }) => version ?? 0}
            columns={[
              { title: 'Version', cell: ({ version }) => version ?? 'Your site' },
              { title: 'Loads', number: true, cell: ({ sessions }) => <Num value={sessions} short /> },
              { title: 'Never played', number: true, cell: neverPlayed },
              { title: 'Played', number: true, cell: ({ seconds }) => duration(seconds) },
              { title: 'Time to play', number: true, cell: (row) => <Range of={row.ms_to_play} as={wait} /> },
              {
                title: 'Size to play',
                number: true,
                cell: (row) => <Range of={row.bytes_to_play} as={size} />,
              },
              { title: 'Errors', number: true, cell: ({ errors }) => <Num value={errors} short /> },
            ]}
          />
          <p className="quiet small health-note">
            Time and size: half of all loads took less than the first figure, nine of ten less than the
            second. Play begins when the game says <code>playing(true)</code>, or with the player’s first
            press in a page that has loaded.
          </p>
        </>
      )}
    </Card>
  );
}

function neverPlayed({ sessions, never_played: never }: PlayedVersion) {
  if (sessions === 0) return '–';
  return (
    <>
      <Num value={never} short /> <span className="quiet">({Math.round((never / sessions) * 100)}%)</span>
    </>
  );
}

function Range({ of, as }: { of: Quantiles; as: (value: number) => ReactNode }) {
  if (of === null) return '–';
  return (
    <>
      {as(of.median)} <span className="quiet">/ {as(of.p90)}</span>
    </>
  );
}

const wait = (ms: number) => `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
const size = (bytes: number) => <Bytes value={bytes} />;

/** "45 s", "12 min", "3.5 h". */
function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  const hours = seconds / 3_600;
  return `${hours < 10 ? hours.toFixed(1) : Math.round(hours).toLocaleString('en')} h`;
}
