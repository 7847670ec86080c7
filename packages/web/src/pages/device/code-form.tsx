import type { FoundDevice } from '@spaceport/contract/account-access';
import { useState } from 'react';
import { carriedValue } from '../../app/carry-over.ts';
import { client } from '../../data/client.ts';
import { useAction } from '../../data/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormCard, FormPage } from '../../ui/form-page.tsx';
import { FailureText } from '../../ui/refusal.tsx';

/** Asks for the code that the device shows. */
export function CodeForm({
  userCode,
  problem,
  isNew,
  onFound,
}: {
  /** What the address brought. */
  userCode: string;
  /** What was wrong with it. */
  problem: string | null;
  isNew: boolean;
  onFound: (asked: FoundDevice) => void;
}) {
  const [code, setCode] = useState(() => (isNew ? '' : carriedValue('user_code', userCode)));
  const { run, busy, failure } = useAction(async () => {
    onFound(await client.findDevice({ body: { user_code: code } }));
  });
  // What the document said is of the code that it came with.
  const first = code === userCode ? problem : null;
  return (
    <FormPage title="Sign in a device" isNew={isNew}>
      <FormCard
        method="get"
        action="/device"
        failure={failure ? <FailureText failure={failure} /> : first}
        onSend={run}
      >
        <Field
          label="Code"
          name="user_code"
          className="code"
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          autoFocus
          required
          maxLength={12}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          hint="It is shown by the program that you are signing in."
        />
        <Button type="submit" whole busy={busy}>
          Continue
        </Button>
      </FormCard>
    </FormPage>
  );
}
