import type { Report } from '@spaceport/contract/reports';
import { useState } from 'preact/compat';
import { client } from '../../data/client.ts';
import { Button } from '../../ui/button.tsx';
import { Card, EmptyState } from '../../ui/surfaces.tsx';
import { Badge, TimeAgo } from '../../ui/text.tsx';
import { DecideReport, type Decision } from './decide-report.tsx';
import { Paged } from './paged.tsx';
import { ReportedContent } from './reported-content.tsx';
import { SpaceName } from './space-name.tsx';
import type { OperatorView } from './view.ts';

/** The players' reports, the open ones first. */
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
          <p>Players report a space, or what others made in it. Their reports are listed here.</p>
        </EmptyState>
      }
    >
      {(reports, replace) => (
        <ul className="operator-cards">
          {reports.map((report) => (
            <li key={report.id}>
              <ReportCard
                report={report}
                onChanged={(now, decision) => {
                  replace(report, now);
                  for (const other of reports)
                    if (other.id !== now.id && isClosedWith(other, now, decision))
                      replace(other, closedAs(other, now));
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

/** Whether the decision of one report has closed the other one. */
function isClosedWith(other: Report, { space, content }: Report, decision: Decision): boolean {
  if (other.state !== 'open') return false;
  switch (decision) {
    case 'hold':
    case 'hide':
    case 'remove':
      return other.space.slug === space.slug;
    case 'ban':
      return other.space.owner === space.owner;
    case 'remove_content':
      return other.content !== null && other.content.id === content?.id;
    case 'dismiss_all':
      return other.space.slug === space.slug && other.content?.id === content?.id;
    case 'dismiss':
      return false;
  }
}

function closedAs(other: Report, { state, note, decided_by, decided_at, space, content }: Report): Report {
  const now = { ...other, state, note, decided_by, decided_at };
  if (other.space.slug !== space.slug) return now;
  return { ...now, space, content: other.content?.id === content?.id ? content : other.content };
}

function ReportCard({
  report,
  onChanged,
}: {
  report: Report;
  onChanged: (now: Report, decision: Decision) => void;
}) {
  const [isDeciding, setDeciding] = useState(false);
  const { space, content, reason, message, state, note, decided_by, reported_at, decided_at } = report;
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
        <Badge tone={isOpen ? 'warn' : 'neutral'}>{isOpen ? reason : state}</Badge>
      </div>
      {content !== null && <ReportedContent {...content} />}
      {message !== '' && <blockquote className="operator-quote">{message}</blockquote>}
      {isOpen ? (
        <div className="row operator-decide">
          <Button onClick={() => setDeciding(true)}>
            Decide… <span className="said">about {space.title}</span>
          </Button>
        </div>
      ) : (
        <p className="quiet small">
          {state === 'dismissed' ? 'Dismissed' : 'Resolved'}
          {decided_by !== null && ` by @${decided_by}`} {decided_at !== null && <TimeAgo at={decided_at} />}
          {note !== null && `: ${note}`}
        </p>
      )}
      {isDeciding && (
        <DecideReport report={report} onClose={() => setDeciding(false)} onDecided={onChanged} />
      )}
    </Card>
  );
}
