import type { Activity, ActivityDay } from '@spaceport/contract/activity';
import { useQueryValue } from '../../../app/address.ts';
import { client } from '../../../data/client.ts';
import { useLoad } from '../../../data/use-load.ts';
import { ChoiceRow } from '../../../ui/choice-row.tsx';
import { ReloadFailure } from '../../../ui/reload-failure.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import { Table } from '../../../ui/table.tsx';
import { Num } from '../../../ui/text.tsx';
import { useOwnSpace } from '../own-space.tsx';
import { WaitingSection } from '../waiting-section.tsx';
import './activity.css';
import { Chart, type Measure } from './chart.tsx';

const ranges = ['30', '90'] as const;
const measures: readonly { measure: Measure; label: string; about: string }[] = [
  { measure: 'plays', label: 'Plays', about: 'How often it was started on its page.' },
  { measure: 'players', label: 'Players', about: 'Different players a day who posted a score, on average.' },
  { measure: 'scores', label: 'Scores', about: 'Scores posted to its boards.' },
];
const dayName = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** Plays, players and scores of a space, day by day. */
export default function ActivitySection() {
  const { space } = useOwnSpace();
  const [asked, setRange] = useQueryValue('days', '30');
  const range = ranges.find((each) => each === asked) ?? '30';
  const { value, error, loading, reload } = useLoad(`${space.slug} ${range}`, (signal) =>
    client.readActivity({ params: { slug: space.slug }, query: { days: Number(range) } }, { signal }),
  );
  if (value === null) return <WaitingSection loads={[{ error, reload }]} />;
  return (
    <div className="stack" aria-busy={loading}>
      <div className="row row--apart">
        <h2 className="said">Activity</h2>
        <ChoiceRow
          label="Days"
          choices={ranges.map((days) => [days, `${days} days`] as const)}
          chosen={range}
          onChoose={setRange}
        />
        <p className="quiet small">Days in UTC, today included. Previews and the sandbox do not count.</p>
      </div>
      <ReloadFailure loads={[{ error, reload }]} />
      <div className="charts">
        {measures.map((each) => (
          <MeasureCard key={each.measure} {...each} activity={value} />
        ))}
      </div>
      <Days days={value.days} />
    </div>
  );
}

function MeasureCard({
  measure,
  label,
  about,
  activity: { days, before },
}: (typeof measures)[number] & { activity: Activity }) {
  const sum = days.reduce((total, day) => total + day[measure], 0);
  // A player counts once per day, so a sum of players over days would be misleading.
  const shown = measure === 'players' ? rounded(sum / days.length) : sum;
  return (
    <Card title={label}>
      <p className="chart-total">
        <Num value={shown} short /> <Trend now={sum} before={before[measure]} days={days.length} />
      </p>
      <p className="quiet small">{about}</p>
      <Chart days={days} measure={measure} label={label} />
    </Card>
  );
}

/** Rounds an average. Small averages keep a decimal, so that few players a day do not look like none. */
const rounded = (average: number) => Number(average.toFixed(average < 10 ? 1 : 0));

/** Shows the change against the same number of days before. */
function Trend({ now, before, days }: { now: number; before: number; days: number }) {
  if (before === 0) return null;
  const percent = Math.round(((now - before) / before) * 100);
  const word =
    percent === 0 ? 'as many as' : percent > 0 ? `${percent}% more than` : `${-percent}% fewer than`;
  return (
    <span className="quiet small chart-trend">
      {word} in the {days} days before
    </span>
  );
}

function Days({ days }: { days: readonly ActivityDay[] }) {
  return (
    <details className="card days">
      <summary>Every day as a table</summary>
      <Table
        label="Activity by day"
        rows={[...days].reverse()}
        keyOf={({ day }) => day}
        columns={[
          { title: 'Day', cell: ({ day }) => dayName.format(new Date(day)) },
          { title: 'Plays', number: true, cell: ({ plays }) => <Num value={plays} /> },
          { title: 'Players', number: true, cell: ({ players }) => <Num value={players} /> },
          { title: 'Scores', number: true, cell: ({ scores }) => <Num value={scores} /> },
        ]}
      />
    </details>
  );
}
