import type { FoundDevice } from '@spaceport/contract/account-access';
import type { ShownForm } from '@spaceport/contract/first-data';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormCard, FormPage, textOf } from '../../ui/form-page.tsx';

/** Asks for the code that the device shows. */
export function CodeForm({
  form,
  isNew,
  onFound,
}: {
  /** The form with the address's code, and its problem. */
  form: ShownForm | null;
  isNew: boolean;
  onFound: (asked: FoundDevice) => void;
}) {
  const { above, at, busy, send, typed } = useForm(
    ['user_code'],
    async (sent) => onFound(await client.findDevice({ body: { user_code: textOf(sent, 'user_code') } })),
    form,
  );
  return (
    <FormPage title="Sign in a device" isNew={isNew}>
      <FormCard method="get" action="/device" failure={above} onSend={send}>
        <Field
          label="Code"
          name="user_code"
          className="code"
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellcheck={false}
          autoFocus
          required
          maxLength={12}
          defaultValue={typed('user_code')}
          hint="It is shown by the program that you are signing in."
          problem={at('user_code')}
        />
        <Button type="submit" whole busy={busy}>
          Continue
        </Button>
      </FormCard>
    </FormPage>
  );
}
