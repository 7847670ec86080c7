import type { Report, ReportCase } from '@spaceport/contract/reports';
import { useState } from 'react';
import { client } from '../../data/client.ts';
import { useLoad } from '../../data/use-load.ts';
import { LinkButton } from '../../ui/button.tsx';
import { FieldsDialog } from '../../ui/fields-dialog.tsx';
import { chosenOf, type FormField } from '../../ui/form-field.tsx';
import { textOf } from '../../ui/form-page.tsx';
import { Skeleton } from '../../ui/surfaces.tsx';
import { TimeAgo } from '../../ui/text.tsx';
import { reasonField } from './reason-dialog.tsx';
import { SpaceName } from './space-name.tsx';

const decisions = {
  dismiss: {
    label: 'Dismiss the report',
    hint: 'Nothing is wrong with the space. It stays as it is.',
    button: 'Dismiss',
  },
  hold: {
    label: 'Hold the space for review',
    hint: 'It is off the service and nothing new of it goes live, until you release it.',
    button: 'Hold it',
  },
  hide: {
    label: 'Hide the space',
    hint: 'Nobody but its owner sees it any more. It can be restored.',
    button: 'Hide it',
  },
  remove: {
    label: 'Remove the space',
    hint: 'Its page and its address say that it is gone, within a minute. It can be restored.',
    button: 'Remove it',
  },
} as const;
type Decision = keyof typeof decisions;

const fields: readonly FormField[] = [
  {
    is: 'radio',
    name: 'action',
    label: 'What is to be done?',
    options: Object.entries(decisions).map(([name, { label, hint }]) => [name, label, hint]),
    chosen: 'dismiss',
  },
  reasonField('The audit log keeps it. Holding, hiding or removing closes every open report of the space.'),
];

/** One report with what is known about it, and the form that decides it. */
export function DecideReport({
  report: { id, space },
  onClose,
  onDecided,
}: {
  report: Report;
  onClose: () => void;
  onDecided: (now: Report) => void;
}) {
  const { value } = useLoad(`report ${id}`, (signal) => client.readReport({ params: { id } }, { signal }));
  const [decision, setDecision] = useState<Decision>('dismiss');
  return (
    <FieldsDialog
      title={`Report of ${space.title}`}
      wide
      action={decisions[decision].button}
      danger={decision === 'remove'}
      fields={fields}
      onSend={async (sent) => {
        const body = { action: chosenOf<Decision>(sent, 'action'), note: textOf(sent, 'reason').trim() };
        onDecided(await client.decideReport({ params: { id }, body }));
      }}
      onChange={(form) => setDecision(chosenOf<Decision>(form, 'action'))}
      onClose={onClose}
    >
      <SpaceName space={space} />
      {value === null ? <Skeleton height={12} /> : <Evidence {...value} />}
    </FieldsDialog>
  );
}

function Evidence({
  report,
  picture,
  play_url: play,
  open_reports: open,
  all_reports: all,
  history,
}: ReportCase) {
  const { reason, message } = report;
  return (
    <div className="stack">
      {picture !== null && (
        <div className="picture">
          <img src={picture} alt="The space as players see it" width={640} height={360} />
        </div>
      )}
      <div className="row row--apart">
        <span>
          {open === 1 ? 'One open report' : `${open} open reports`}
          {all > open && `, ${all} in all`}
        </span>
        {play !== null && (
          <LinkButton
            variant="plain"
            size="small"
            icon="external"
            href={play}
            target="_blank"
            rel="noopener noreferrer"
          >
            Play it
          </LinkButton>
        )}
      </div>
      <blockquote className="operator-quote">
        {reason}
        {message !== '' && `: ${message}`}
      </blockquote>
      {history.length > 0 && (
        <details>
          <summary>What was reported and done before ({history.length})</summary>
          <ul className="operator-history">
            {history.map(({ at, what, by, text }) => (
              <li key={`${at} ${what} ${text}`} className="small">
                <TimeAgo at={at} /> {what}
                {by !== null && ` by @${by}`}
                {text !== null && `: ${text}`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
