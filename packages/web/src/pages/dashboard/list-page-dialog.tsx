import type { listSpace } from '@spaceport/contract/listing';
import type { AnswerOf } from '@spaceport/contract/operation';
import { useState } from 'preact/compat';
import { leaveTo } from '../../app/leave.ts';
import { client } from '../../data/client.ts';
import { useAction } from '../../data/use-action.ts';
import { useFocusOnProblem } from '../../data/use-focus-on-problem.ts';
import { useIsThere } from '../../data/use-is-there.ts';
import { LinkButton } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { emptyFields, toNewFields } from '../../ui/fields-draft.ts';
import { ListingFailure } from '../../ui/listing-failure.tsx';
import { OptionalFields, RequiredFields } from '../../ui/space-fields.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { showToast } from '../../ui/toast.tsx';

type Listed = AnswerOf<typeof listSpace>;

/** Lists a page that runs elsewhere, then says how to claim it. */
export function ListPageDialog({ onClose }: { onClose: () => void }) {
  const [url, setUrl] = useState('');
  const [draft, setDraft] = useState(emptyFields);
  const [listed, setListed] = useState<Listed | null>(null);
  const isThere = useIsThere();
  const { run, busy, error, failure } = useAction(async () => {
    const space = await client.listSpace({ body: { url: url.trim(), ...toNewFields(draft) } });
    // Whoever has closed it meanwhile is led nowhere.
    if (!isThere()) showToast(`${space.title} is listed.`);
    else if (space.claimed) await leaveTo(`/dashboard/${space.slug}?section=page`);
    else setListed(space);
  });
  const noteSender = useFocusOnProblem(error);
  if (listed !== null) return <Unclaimed listed={listed} onClose={onClose} />;
  const problems = failure?.problems ?? {};
  return (
    <FormDialog
      title="List a page that runs elsewhere"
      wide
      onClose={onClose}
      action={busy ? 'Looking at the page…' : 'List it'}
      busy={busy}
      onSubmit={() => {
        noteSender();
        run();
      }}
    >
      <p className="quiet small">
        It stays where it is, and is shown here in a frame. We look at the page first: it must open for
        everybody, and let itself be framed.
      </p>
      <Field
        label="Address"
        type="url"
        inputMode="url"
        autoFocus
        placeholder="https://"
        value={url}
        problem={problems.url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <RequiredFields
        draft={draft}
        problems={problems}
        onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
      />
      <details className="more-fields">
        <summary>More about it</summary>
        <div className="stack">
          <OptionalFields
            draft={draft}
            problems={problems}
            onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
          />
        </div>
      </details>
      {error !== null &&
        (Object.keys(problems).length > 0 ? (
          <Notice tone="bad">Something is missing or wrong: see the fields above.</Notice>
        ) : (
          <ListingFailure error={error} />
        ))}
    </FormDialog>
  );
}

function Unclaimed({ listed, onClose }: { listed: Listed; onClose: () => void }) {
  return (
    <Dialog
      title={`${listed.title} is listed`}
      onClose={onClose}
      actions={
        <LinkButton href={`/dashboard/${listed.slug}?section=page`} icon="arrow-right">
          Go on
        </LinkButton>
      }
    >
      <p>
        It is not claimed yet: anybody could have listed it. {listed.instruction} You can do that later too,
        from its page here.
      </p>
      {listed.snippet !== undefined && <CodeBlock label="Proof tag" code={listed.snippet} />}
    </Dialog>
  );
}
