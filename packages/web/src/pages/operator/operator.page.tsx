import { useQueryValue, useTitle } from '../../app/address.ts';
import { useViewer } from '../../app/app.tsx';
import type { PageProps } from '../../app/pages.ts';
import { client } from '../../data/client.ts';
import { useLoad } from '../../data/use-load.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Main, Notice, ScriptNeeded } from '../../ui/surfaces.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Num } from '../../ui/text.tsx';
import { Accounts } from './accounts.tsx';
import { Addresses } from './addresses.tsx';
import { AuditLog } from './audit-log.tsx';
import { Health } from './health.tsx';
import './operator.css';
import { Reports } from './reports.tsx';
import { Reviews } from './reviews.tsx';
import { Spaces } from './spaces.tsx';
import { TakenDown } from './taken-down.tsx';

/** The views by their name in the address, the most needed first. */
const views = {
  reviews: { label: 'Reviews', View: Reviews },
  reports: { label: 'Reports', View: Reports },
  spaces: { label: 'Spaces', View: Spaces },
  accounts: { label: 'Accounts', View: Accounts },
  addresses: { label: 'Blocked', View: Addresses },
  files: { label: 'Taken down', View: TakenDown },
  log: { label: 'Audit log', View: AuditLog },
  health: { label: 'Health', View: Health },
} as const;
type ViewName = keyof typeof views;
const names = Object.keys(views) as readonly ViewName[];

/** /operator: the queues that wait for a person, and actions on spaces and accounts. */
export default function OperatorPage(_: PageProps<'operator'>) {
  const viewer = useViewer();
  const [asked, show] = useQueryValue('view', names[0] ?? '');
  const selected = names.find((name) => name === asked) ?? 'reviews';
  const health = useLoad('health', (signal) => client.readServiceHealth(undefined, { signal }));
  const waiting: Partial<Record<ViewName, number>> = {
    reviews: health.value?.open_reviews ?? 0,
    reports: health.value?.open_reports ?? 0,
    health: (health.value?.failed_jobs.length ?? 0) + (health.value?.lost_count ?? 0),
  };
  const { View, label } = views[selected];
  useTitle(`Operate: ${label}`);
  return (
    <Main>
      <h1 className="operator-title">Operate</h1>
      <ScriptNeeded>
        This page needs JavaScript. <code>npm run admin</code> on the machine and{' '}
        <a href="/docs/api">the API</a> do the same without.
      </ScriptNeeded>
      {viewer !== null && viewer.handle === null && (
        <Notice
          tone="warn"
          actions={
            <LinkButton size="small" href="/handle?next=%2Foperator">
              Choose a handle
            </LinkButton>
          }
        >
          You have no handle yet. The audit log names operators by it, and has only the number of your account
          until then.
        </Notice>
      )}
      <Tabs
        label="What to look at"
        selected={selected}
        onSelect={show}
        tabs={names.map((key) => ({
          key,
          label: <TabLabel text={views[key].label} waiting={waiting[key]} />,
        }))}
      >
        <View key={selected} onDecided={health.reload} />
      </Tabs>
    </Main>
  );
}

function TabLabel({ text, waiting = 0 }: { text: string; waiting?: number | undefined }) {
  if (waiting === 0) return text;
  return (
    <>
      {text}{' '}
      <span className="operator-count">
        <Num value={waiting} />
        <span className="said"> waiting</span>
      </span>
    </>
  );
}
