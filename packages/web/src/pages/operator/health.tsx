import type { AnswerOf } from '@spaceport/contract/operation';
import type { readServiceHealth } from '@spaceport/contract/service-health';
import { client } from '../../data/client.ts';
import { useLoad } from '../../data/use-load.ts';
import { useRefresh } from '../../data/use-refresh.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Card, EmptyState, Skeleton } from '../../ui/surfaces.tsx';
import { Table } from '../../ui/table.tsx';
import { Badge, formatBytes, Num, TimeAgo } from '../../ui/text.tsx';
import { Findings } from './findings.tsx';

type ServiceHealth = AnswerOf<typeof readServiceHealth>;

const refreshMs = 10_000;

/** The health of the service and its queue; it refreshes itself. */
export function Health() {
  const health = useLoad('health', (signal) => client.readServiceHealth(undefined, { signal }));
  useRefresh(health, refreshMs);
  const { value, error, loading, reload } = health;
  if (value === null)
    return error === null ? <Skeleton height={16} /> : <ErrorState error={error} retry={reload} />;
  return (
    <div className="stack stack--loose">
      <Card
        title="The service"
        actions={
          <Button variant="quiet" size="small" icon="restart" busy={loading} onClick={reload}>
            Look again
          </Button>
        }
      >
        <dl className="facts">
          <Part name="Database" state={value.database} />
          <Part name="File store" state={value.store} />
          <BrowserPart browser={value.browser} />
          <BackupPart backup={value.backup} />
          <ProcessesPart processes={value.processes} />
        </dl>
        {value.backup.error !== null && <p className="error">The last backup failed: {value.backup.error}</p>}
        {error !== null && (
          <p className="error">The last look got no answer; this is what was known before.</p>
        )}
      </Card>
      <Queue jobs={value.jobs} />
      {value.lost_count > 0 && <Lost files={value.lost_files} count={value.lost_count} />}
      <Failed jobs={value.failed_jobs} />
      <Findings />
    </div>
  );
}

function Part({ name, state }: { name: string; state: 'ok' | 'unavailable' }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Badge tone={state === 'ok' ? 'good' : 'bad'}>{state === 'ok' ? 'answers' : 'does not answer'}</Badge>
      </dd>
    </>
  );
}

function ProcessesPart({ processes }: { processes: ServiceHealth['processes'] }) {
  const memory = processes.reduce((sum, { memory_bytes }) => sum + memory_bytes, 0);
  const restarts = processes.reduce((sum, process) => sum + process.restarts, 0);
  return (
    <>
      <dt>{processes.length === 1 ? 'Process' : 'Processes'}</dt>
      <dd>
        {processes.length}, with {formatBytes(memory)}
        {restarts > 0 && (
          <>
            {' '}
            <Badge tone="bad">
              replaced {restarts} {restarts === 1 ? 'time' : 'times'}
            </Badge>
          </>
        )}
      </dd>
    </>
  );
}

const backupStates = {
  off: { tone: 'warn', said: 'none are taken' },
  none: { tone: 'warn', said: 'none yet' },
  ok: { tone: 'good', said: 'whole' },
  late: { tone: 'bad', said: 'late' },
  failed: { tone: 'bad', said: 'the last one failed' },
} as const;

function BackupPart({ backup: { state, running, newest } }: { backup: ServiceHealth['backup'] }) {
  const { tone, said } = backupStates[state];
  return (
    <>
      <dt>Newest backup</dt>
      <dd>
        <Badge tone={tone}>{said}</Badge>{' '}
        {newest !== null && (
          <>
            <TimeAgo at={newest.made_at} />, {newest.files} files with {formatBytes(newest.bytes)}
            {newest.lost > 0 && `, ${newest.lost} lost before`}
          </>
        )}
        {running && ' One is being taken now.'}
      </dd>
    </>
  );
}

const browserStates = {
  starting: 'not started yet',
  off: 'off: no clips, checks read files only',
  failing: 'does not start: no clips, versions stay unjudged',
  elsewhere: 'with the workers',
} as const;

function BrowserPart({ browser }: { browser: ServiceHealth['browser'] }) {
  const { state, version, from, age_days: age, sandbox, reason } = browser;
  return (
    <>
      <dt>Browser for checks and clips</dt>
      <dd>
        {state === 'ready' ? (
          <>
            <Badge tone={sandbox ? 'good' : 'bad'}>{sandbox ? 'sandboxed' : 'no sandbox'}</Badge> Chromium{' '}
            {version} {from === 'npm' ? 'from npm' : 'of this machine'}
            {age !== null && `, out for about ${age} ${age === 1 ? 'day' : 'days'}`}
          </>
        ) : (
          <Badge tone={state === 'off' || state === 'failing' ? 'bad' : 'neutral'}>
            {browserStates[state]}
          </Badge>
        )}
        {reason !== null && <p className="error">{reason}</p>}
      </dd>
    </>
  );
}

function Queue({ jobs }: { jobs: ServiceHealth['jobs'] }) {
  return (
    <Card title="Queue" flush={jobs.length > 0}>
      {jobs.length === 0 ? (
        <p className="quiet">Nothing waits, runs, or is due later.</p>
      ) : (
        <Table
          label="Jobs by kind"
          rows={jobs}
          keyOf={({ kind }) => kind}
          columns={[
            { title: 'Kind', cell: ({ kind }) => <code>{kind}</code> },
            { title: 'Waiting', number: true, cell: ({ waiting }) => <Num value={waiting} /> },
            { title: 'Running', number: true, cell: ({ running }) => <Num value={running} /> },
            { title: 'Later', number: true, cell: ({ later }) => <Num value={later} /> },
            { title: 'Failed', number: true, cell: ({ failed }) => <Num value={failed} /> },
            {
              title: 'Oldest has waited since',
              cell: ({ oldest_waiting_since: since }) => (since === null ? '' : <TimeAgo at={since} />),
            },
          ]}
        />
      )}
    </Card>
  );
}

function Lost({ files, count }: { files: ServiceHealth['lost_files']; count: number }) {
  return (
    <Card title="Lost files" flush>
      <Table
        label="Stored files that are missing or damaged"
        rows={files}
        keyOf={({ key }) => key}
        columns={[
          { title: 'File', cell: ({ key }) => <code>{key.slice(0, 16)}…</code> },
          { title: 'What is wrong', cell: ({ problem }) => <Badge tone="bad">{problem}</Badge> },
          { title: 'Found', cell: ({ found_at }) => <TimeAgo at={found_at} /> },
        ]}
      />
      <p className="quiet">
        {count > files.length && (
          <>
            These are the first {files.length} of <Num value={count} />.{' '}
          </>
        )}
        The next publish with such a file uploads it again. <code>admin verify --repair --from BACKUP</code>{' '}
        restores files that have a copy.
      </p>
    </Card>
  );
}

function Failed({ jobs }: { jobs: ServiceHealth['failed_jobs'] }) {
  if (jobs.length === 0)
    return (
      <EmptyState icon="check" title="No job has failed for good" level={2} boxed>
        <p>A job is tried several times before it is given up; then it is listed here with its reason.</p>
      </EmptyState>
    );
  return (
    <Card title="Failed for good" flush>
      <Table
        label="Jobs that failed for good"
        rows={jobs}
        keyOf={({ kind, ref }) => `${kind} ${ref}`}
        columns={[
          { title: 'Job', cell: ({ kind }) => <code>{kind}</code> },
          { title: 'About', cell: ({ ref }) => <code>{ref}</code> },
          { title: 'Tries', number: true, cell: ({ attempts }) => <Num value={attempts} /> },
          { title: 'When', cell: ({ failed_at }) => <TimeAgo at={failed_at} /> },
          { title: 'Why', cell: ({ error }) => error ?? '' },
        ]}
      />
    </Card>
  );
}
