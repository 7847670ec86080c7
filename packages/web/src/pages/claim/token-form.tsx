import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormCard, FormPage, textOf } from '../../ui/form-page.tsx';
import { tokenIn } from './kept-token.ts';

/** Where the link came without its token. */
export function TokenForm({ onToken }: { onToken: (token: string) => void }) {
  const [isWrong, setWrong] = useState(false);
  const send = (form: FormData) => {
    const token = tokenIn(textOf(form, 'token'));
    setWrong(token === null);
    if (token !== null) onToken(token);
  };
  return (
    <FormPage title="Claim a page">
      <FormCard action="/claim" onSend={send}>
        <p>A page published without an account lasts a week. Claimed, it is yours and stays.</p>
        <Field
          label="Claim token"
          name="token"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={400}
          required
          hint="It starts with sp_claim_ and came with the page. The whole link will do."
          problem={isWrong ? 'That is not a claim token: copy it once more, from its beginning.' : undefined}
        />
        <Button type="submit" whole>
          Continue
        </Button>
      </FormCard>
    </FormPage>
  );
}
