import { maxReportMessage, reportReasons } from '@spaceport/contract/reports';
import { useForm } from '../../data/use-form.ts';
import { useIsThere } from '../../data/use-is-there.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Select, TextArea } from '../../ui/field.tsx';
import { textOf } from '../../ui/form-page.tsx';
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

const reasonField = {
  name: 'reason',
  check: (typed: string) => (typed === '' ? 'Choose what fits best.' : undefined),
};

/** Reports a space, or an item in it, to the operators. Only the text is stored, not the person. */
export default function ReportDialog({
  title,
  send,
  onClose,
}: {
  title: string;
  send: (body: { reason: Reason; message: string }) => Promise<unknown>;
  onClose: () => void;
}) {
  const isThere = useIsThere();
  const form = useForm([reasonField, 'message'], async (sent) => {
    // The select's options are exactly the reasons.
    const body = { reason: textOf(sent, 'reason') as Reason, message: textOf(sent, 'message') };
    await send(body);
    if (isThere()) onClose();
    showToast('Thank you. The people who run this service will look at it.');
  });
  return (
    <FormDialog
      title={`Report ${title}`}
      onClose={onClose}
      action="Send"
      busy={form.busy}
      failure={form.above}
      onSubmit={form.send}
    >
      <p className="quiet small">It goes to the people who run this service. Who you are is not kept.</p>
      <Select
        label="What is wrong with it?"
        name="reason"
        problem={form.at('reason')}
        options={[['', 'Choose…'], ...reportReasons.map((each) => [each, labels[each]] as const)]}
      />
      <TextArea
        label="Anything that helps to see it (optional)"
        name="message"
        maxLength={maxReportMessage}
        problem={form.at('message')}
      />
    </FormDialog>
  );
}
