import type { Report } from '@spaceport/contract/reports';
import { useState } from 'react';
import { client } from '../../data/client.ts';
import { Button } from '../../ui/button.tsx';
import { Card, EmptyState } from '../../ui/surfaces.tsx';
import { Badge, TimeAgo } from '../../ui/text.tsx';
import { Paged } from './paged.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { SpaceActions } from './space-actions.tsx';
import { SpaceName } from './space-name.tsx';
import type { OperatorView } from './view.ts';

/** What players reported, the open ones first. */
export function Reports({ onDecided }: OperatorView) {
  return (
    <Paged<Report>
      name="reports"
      ask={async (cursor, signal) => {
        const { reports, next } = await client.readReports(
          { query: { limit: 30, ...(cursor === undefined ? {} : { cursor }) } },
          { signal },
        );
        return { items: reports, next };
      }}
      empty={
        <EmptyState icon="check" title="Nobody has reported anything">
          <p>Players report a space from its page. What they say then stands here.</p>
        </EmptyState>
      }
    >
      {(reports, replace) => (
        <ul className="operator-cards">
          {reports.map((report) => (
            <li key={report.id}>
              <ReportCard
                report={report}
                onChanged={(now) => {
                  replace(report, now);
                  onDecided();
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </Paged>
  );
}

function ReportCard({ report, onChanged }: { report: Report; onChanged: (now: Report) => void }) {
  const [action, setAction] = useState<'dismiss' | 'resolve' | null>(null);
  const { space, reason, message, state, note, decided_by, reported_at, decided_at } = report;
  const isOpen = state === 'open';
  return (
    <Card>
      <div className="row row--apart">
        <div className="operator-what">
          <SpaceName space={space} />
          <p className="quiet small">
            reported <TimeAgo at={reported_at} />
          </p>
        </div>
        <div className="row">
          <Badge tone={isOpen ? 'warn' : 'neutral'}>{isOpen ? reason : state}</Badge>
          <SpaceActions
            space={space}
            onChanged={(now) => onChanged({ ...report, space: { ...space, ...now } })}
          />
        </div>
      </div>
      {message !== '' && <blockquote className="operator-quote">{message}</blockquote>}
      {isOpen ? (
        <div className="row operator-decide">
          <Button variant="plain" onClick={() => setAction('dismiss')}>
            Dismiss…
          </Button>
          <Button onClick={() => setAction('resolve')}>Resolve…</Button>
        </div>
      ) : (
        <p className="quiet small">
          {state === 'dismissed' ? 'Dismissed' : 'Resolved'}
          {decided_by !== null && ` by @${decided_by}`} {decided_at !== null && <TimeAgo at={decided_at} />}
          {note !== null && `: ${note}`}
        </p>
      )}
      {action !== null && (
        <ReasonDialog
          title={action === 'dismiss' ? 'Dismiss the report?' : 'Resolve the report?'}
          action={action === 'dismiss' ? 'Dismiss' : 'Resolve'}
          onClose={() => setAction(null)}
          onConfirm={async (why) =>
            onChanged(await client.decideReport({ params: { id: report.id }, body: { action, note: why } }))
          }
        >
          {action === 'dismiss'
            ? 'Nothing is wrong with the space, or nothing that concerns this service. The space stays as it is.'
            : 'Say what was done about it. Closing a report changes nothing by itself: hold, hide or remove the space first where that is called for.'}
        </ReasonDialog>
      )}
    </Card>
  );
}
