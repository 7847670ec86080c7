import type { AnswerOf } from '@spaceport/contract/operation';
import type { examineService } from '@spaceport/contract/service-findings';
import { client } from '../../data/client.ts';
import { useLoad } from '../../data/use-load.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Card, Skeleton } from '../../ui/surfaces.tsx';
import { Table } from '../../ui/table.tsx';
import { Badge } from '../../ui/text.tsx';

type Finding = AnswerOf<typeof examineService>['findings'][number];

const names: Record<Finding['about'], string> = {
  app_host: 'Host of the app',
  play_hosts: 'Hosts of live spaces',
  preview_hosts: 'Hosts of previews',
  certificates: 'Certificates',
  mail: 'Mail',
  browser: 'Browser',
  disk: 'Disk',
  clock: 'Clock',
  database: 'Database',
  store: 'File store',
  search: 'Search index',
  backup: 'Backups',
};

const states = {
  ok: { tone: 'good', said: 'well' },
  warning: { tone: 'warn', said: 'not quite' },
  wrong: { tone: 'bad', said: 'wrong' },
  not_looked_at: { tone: 'neutral', said: 'not checked' },
} as const;

/** The findings of `admin doctor` on the node that answers. */
export function Findings() {
  const { value, error, loading, reload } = useLoad('findings', (signal) =>
    client.examineService(undefined, { signal }),
  );
  if (value === null)
    return error === null ? <Skeleton height={12} /> : <ErrorState error={error} retry={reload} />;
  return (
    <Card
      title="What the service depends on"
      flush
      actions={
        <Button variant="quiet" size="small" icon="restart" busy={loading} onClick={reload}>
          Examine again
        </Button>
      }
    >
      <Table
        label="What was checked, and what to do"
        rows={value.findings}
        keyOf={({ about }) => about}
        columns={[
          { title: 'Of', cell: ({ about }) => names[about] },
          {
            title: 'State',
            cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].said}</Badge>,
          },
          {
            title: 'Result, and what to do',
            cell: ({ said, advice }) => (
              <>
                <p>{said}</p>
                {advice !== null && <p className="quiet">{advice}</p>}
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}
