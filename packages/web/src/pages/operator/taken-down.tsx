import { hashInEtag } from '@spaceport/contract/hash-in-etag';
import type { AnswerOf } from '@spaceport/contract/operation';
import type { readTakenDown } from '@spaceport/contract/taken-down';
import { Fragment, useState } from 'preact/compat';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { givenOf } from '../../ui/form-field.tsx';
import { FormCard } from '../../ui/form-page.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { TimeAgo } from '../../ui/text.tsx';
import { showToast } from '../../ui/toast.tsx';
import { Paged } from './paged.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

type File = AnswerOf<typeof readTakenDown>['files'][number];

/** The actions on a file. Each asks the operator for a reason. */
const changes = {
  down: {
    verb: 'Take down',
    effect:
      'Versions with this file are not served any more, in any space, and it is refused in new versions. The owners of the spaces get your reason by mail. You can give the file back later.',
    done: 'The file is taken down. The service is looking for the versions that have it.',
    call: 'takeDownFile',
  },
  back: {
    verb: 'Give back',
    effect: 'Versions with this file are served again.',
    done: 'It is given back.',
    call: 'giveBackFile',
  },
} as const;

const fields = [
  {
    name: 'sha256',
    check: (typed: string) =>
      /^[0-9a-f]{64}$/u.test(hashInEtag(typed)) ? undefined : 'It has 64 digits from 0 to f.',
  },
];

/** The files that are taken down in all spaces. */
export function TakenDown() {
  // Increases with each change, so that the list is read again and the form is emptied.
  const [turn, setTurn] = useState(0);
  const [asked, setAsked] = useState<{ change: keyof typeof changes; sha256: string } | null>(null);
  const change = asked && changes[asked.change];
  const ask = async (sent: FormData) => {
    const sha256 = givenOf(sent, 'sha256');
    if (sha256 !== null) setAsked({ change: 'down', sha256: hashInEtag(sha256) });
  };
  const { send, at } = useForm(fields, ask);
  return (
    <div className="stack">
      <FormCard key={turn} className="row operator-block" onSend={send}>
        <Field
          label="SHA-256 of a file: the ETag that it is served with"
          name="sha256"
          problem={at('sha256')}
          spellcheck={false}
          autoCapitalize="none"
          maxLength={100}
        />
        <Button type="submit" variant="plain">
          Take down…
        </Button>
      </FormCard>
      <Paged<File>
        name={`taken down ${turn}`}
        ask={async (cursor, signal) => {
          const query = { limit: 100, ...(cursor === undefined ? {} : { cursor }) };
          const { files, next } = await client.readTakenDown({ query }, { signal });
          return { items: files, next };
        }}
        empty={
          <EmptyState icon="check" title="Nothing is taken down">
            <p>A file that is taken down is not served in any version of any space.</p>
          </EmptyState>
        }
      >
        {(files) => (
          <ul className="rows" aria-label="Files that are taken down">
            {files.map((file) => (
              <li key={file.sha256}>
                <TakenDownFile
                  file={file}
                  onGiveBack={() => setAsked({ change: 'back', sha256: file.sha256 })}
                />
              </li>
            ))}
          </ul>
        )}
      </Paged>
      {asked !== null && change && (
        <ReasonDialog
          title={`${change.verb} ${asked.sha256.slice(0, 16)}…?`}
          action={change.verb}
          danger={asked.change === 'down'}
          onClose={() => setAsked(null)}
          onConfirm={async (reason) => {
            await client[change.call]({ body: { sha256: asked.sha256, reason } });
            showToast(change.done);
            setTurn(turn + 1);
          }}
        >
          {change.effect}
        </ReasonDialog>
      )}
    </div>
  );
}

function TakenDownFile({
  file: { sha256, reason, versions, taken_down_at },
  onGiveBack,
}: {
  file: File;
  onGiveBack: () => void;
}) {
  return (
    <>
      <div className="row row--apart">
        <code className="operator-hash">{sha256}</code>
        <Button variant="quiet" size="small" onClick={onGiveBack}>
          Give back…
        </Button>
      </div>
      <p className="operator-quote">{reason}</p>
      <p className="quiet small operator-reason">
        <TimeAgo at={taken_down_at} /> · {versions.length === 0 ? 'no version found with it' : 'in '}
        {versions.map(({ space, version }, at) => (
          <Fragment key={`${space} ${version}`}>
            {at > 0 && ', '}
            <a href={`/s/${space}`}>{space}</a>, version {version}
          </Fragment>
        ))}
      </p>
    </>
  );
}
