import { maxReportMessage, reportReasons } from '@spaceport/contract/reports';
import { useState } from 'react';
import { client } from '../../data/client.ts';
import { useAction } from '../../data/use-action.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Select, TextArea } from '../../ui/field.tsx';
import { showToast } from '../../ui/toast.tsx';

type Reason = (typeof reportReasons)[number];

const labels: Readonly<Record<Reason, string>> = {
  harmful: 'It does harm',
  malware: 'It installs or downloads something',
  phishing: 'It asks for passwords or money',
  sexual: 'Sexual content',
  violence: 'Violence',
  hate: 'Hate',
  privacy: 'It shows somebody’s private life',
  copyright: 'It uses somebody’s work',
  spam: 'It is advertising',
  broken: 'It does not work',
  other: 'Something else',
};

/** Tells the operators of a space. Nothing of who reports is kept but what they write. */
export function ReportDialog({ slug, title, onClose }: { slug: string; title: string; onClose: () => void }) {
  const [reason, setReason] = useState<Reason | ''>('');
  const [message, setMessage] = useState('');
  const [isIncomplete, setIncomplete] = useState(false);
  const { run, busy, failure } = useAction(async () => {
    if (reason === '') return setIncomplete(true);
    await client.reportSpace({ params: { slug }, body: { reason, message } });
    onClose();
    showToast('Thank you. The people who run this service will look at it.');
  });
  return (
    <FormDialog
      title={`Report ${title}`}
      onClose={onClose}
      action="Send"
      busy={busy}
      failure={failure?.text}
      onSubmit={run}
    >
      <p className="quiet small">It goes to the people who run this service. Who you are is not kept.</p>
      <Select
        label="What is wrong with it?"
        value={reason}
        problem={isIncomplete && reason === '' ? 'Choose what fits best.' : undefined}
        options={[['', 'Choose…'], ...reportReasons.map((each) => [each, labels[each]] as const)]}
        // The options are the reasons and nothing else.
        onChange={({ target }) => setReason(target.value as Reason | '')}
      />
      <TextArea
        label="Anything that helps to see it (optional)"
        value={message}
        maxLength={maxReportMessage}
        problem={failure?.problems.message}
        onChange={({ target }) => setMessage(target.value)}
      />
    </FormDialog>
  );
}
