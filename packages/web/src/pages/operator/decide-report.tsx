import { type Report, type ReportCase, toldDecisions } from '@spaceport/contract/reports';
import { useState } from 'preact/compat';
import { client } from '../../data/client.ts';
import { useLoad } from '../../data/use-load.ts';
import { LinkButton } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FieldsDialog } from '../../ui/fields-dialog.tsx';
import { chosenOf, type FormField } from '../../ui/form-field.tsx';
import { textOf } from '../../ui/form-page.tsx';
import { Skeleton } from '../../ui/surfaces.tsx';
import { TimeAgo } from '../../ui/text.tsx';
import { banEffect } from './accounts.tsx';
import { messageField, messageIn, reasonField } from './reason-dialog.tsx';
import { ReportedContent } from './reported-content.tsx';
import { actions } from './space-actions.tsx';
import { SpaceName } from './space-name.tsx';

const decisions = {
  dismiss: {
    label: 'Dismiss the report',
    hint: 'Nothing is wrong. Everything stays as it is.',
    button: 'Dismiss',
  },
  dismiss_all: {
    label: 'Dismiss every open report about it',
    hint: 'As above, for all that say something about the same thing.',
    button: 'Dismiss them',
  },
  remove_content: {
    label: 'Delete what the player made',
    hint: 'It is deleted for everyone, with its likes, and cannot be restored. The space stays as it is.',
    button: 'Delete it',
  },
  hold: {
    label: 'Hold the space for review',
    hint: actions.hold.effect,
    button: 'Hold it',
  },
  hide: {
    label: 'Hide the space',
    hint: actions.hide.effect,
    button: 'Hide it',
  },
  remove: {
    label: 'Remove the space',
    hint: actions.remove.effect,
    button: 'Remove it',
  },
  ban: {
    label: 'Ban its owner',
    hint: `${banEffect} The open reports of all their spaces are closed.`,
    button: 'Ban them',
  },
} as const;
export type Decision = keyof typeof decisions;

const fieldsFor = ({ content, space: { owner } }: Report, decision: Decision): readonly FormField[] => [
  {
    is: 'radio',
    name: 'action',
    label: 'What should be done?',
    options: Object.entries(decisions)
      .filter(([name]) => name !== 'remove_content' || content !== null)
      .filter(([name]) => name !== 'ban' || owner !== null)
      .map(([name, { label, hint }]) => [name, label, hint]),
    chosen: 'dismiss',
  },
  reasonField(
    'The audit log keeps it. An action on a space, or on content in it, closes every open report about the same thing.',
  ),
  ...(owner !== null && toldDecisions.has(decision) ? [messageField(`@${owner}`)] : []),
];

/** One report with its facts, and the form to decide it. */
export function DecideReport({
  report,
  onClose,
  onDecided,
}: {
  report: Report;
  onClose: () => void;
  onDecided: (now: Report, decision: Decision) => void;
}) {
  const { id, space, content } = report;
  const { value, error, reload } = useLoad(`report ${id}`, (signal) =>
    client.readReport({ params: { id } }, { signal }),
  );
  const [decision, setDecision] = useState<Decision>('dismiss');
  return (
    <FieldsDialog
      title={`Report of ${space.title}`}
      wide
      action={decisions[decision].button}
      danger={decision === 'remove' || decision === 'remove_content' || decision === 'ban'}
      fields={fieldsFor(report, decision)}
      onSend={async (sent) => {
        const action = chosenOf<Decision>(sent, 'action');
        const body = { action, note: textOf(sent, 'reason').trim(), message: messageIn(sent) };
        onDecided(await client.decideReport({ params: { id }, body }), action);
      }}
      onChange={(form) => setDecision(chosenOf<Decision>(form, 'action'))}
      onClose={onClose}
    >
      <SpaceName space={space} />
      {content !== null && <ReportedContent {...content} />}
      {value !== null ? (
        <Evidence {...value} />
      ) : error === null ? (
        <Skeleton height={12} />
      ) : (
        <ErrorState error={error} retry={reload} />
      )}
    </FieldsDialog>
  );
}

function Evidence({
  report,
  content_data: data,
  picture,
  play_url: play,
  open_reports: open,
  all_reports: all,
  history,
}: ReportCase) {
  const { reason, message } = report;
  return (
    <div className="stack">
      {report.content?.kind != null && (
        <details open>
          <summary>What it holds, as the space wrote it</summary>
          <CodeBlock code={JSON.stringify(data, null, 2)} label="Data" wrap long />
        </details>
      )}
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
