import type { ActivityDay } from '@spaceport/contract/activity';
import { useState } from 'preact/compat';
import { useElementId } from '../../../app/element-id.tsx';

export type Measure = 'plays' | 'players' | 'scores';

const width = 720;
const height = 150;
const top = 6;
const bottom = 2;
const dayName = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** One measure as a bar for each day. The table under the charts has the same numbers. */
export function Chart({
  days,
  measure,
  label,
}: {
  days: readonly ActivityDay[];
  measure: Measure;
  label: string;
}) {
  const [at, setAt] = useState<number | null>(null);
  const id = useElementId();
  const max = niceMax(Math.max(1, ...days.map((day) => day[measure])));
  const step = width / days.length;
  const y = (value: number) => height - bottom - (value / max) * (height - bottom - top);
  const shown = at === null ? undefined : days[at];
  const marked = [0, Math.floor((days.length - 1) / 2), days.length - 1];
  return (
    <div className="chart">
      <p className="chart-said small" aria-hidden="true">
        {shown ? (
          <>
            <span className="quiet">{dayName.format(new Date(shown.day))}</span>{' '}
            <strong className="number">{shown[measure].toLocaleString('en')}</strong>
          </>
        ) : (
          <span className="quiet">
            Most on a day: {Math.max(...days.map((day) => day[measure])).toLocaleString('en')}
          </span>
        )}
      </p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={id}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const index = Math.floor(((event.clientX - box.left) / box.width) * days.length);
          setAt(Math.min(days.length - 1, Math.max(0, index)));
        }}
        onPointerLeave={() => setAt(null)}
      >
        <title id={id}>{summaryOf(days, measure, label)}</title>
        {[0.5, 1].map((part) => (
          <line key={part} className="chart-grid" x1={0} x2={width} y1={y(max * part)} y2={y(max * part)} />
        ))}
        <line className="chart-ground" x1={0} x2={width} y1={y(0)} y2={y(0)} />
        {days.map((day, index) => (
          <rect
            key={day.day}
            className={index === at ? 'chart-bar chart-bar--at' : 'chart-bar'}
            x={index * step + step * 0.14}
            width={step * 0.72}
            y={y(day[measure])}
            height={Math.max(0, y(0) - y(day[measure]))}
          />
        ))}
      </svg>
      <p className="chart-days small quiet" aria-hidden="true">
        {marked.map((index) => (
          <span key={index}>{shortDay.format(new Date(days[index]?.day ?? 0))}</span>
        ))}
      </p>
    </div>
  );
}

/** Returns the chart as a sentence, for screen readers. */
function summaryOf(days: readonly ActivityDay[], measure: Measure, label: string): string {
  const values = days.map((day) => day[measure]);
  const most = Math.max(...values);
  const when = days[values.indexOf(most)];
  const total = values.reduce((sum, value) => sum + value, 0);
  if (total === 0) return `${label}: none in ${days.length} days`;
  return `${label} in ${days.length} days; most on ${dayName.format(new Date(when?.day ?? 0))}: ${most}. The table has every day.`;
}

/** Returns the next round number, so that the scale does not change with every play. */
function niceMax(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((step) => step * power >= value) ?? 10) * power;
}
