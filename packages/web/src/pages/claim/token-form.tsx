import type { Viewer } from '@spaceport/contract/document-frame';
import type { ShownForm } from '@spaceport/contract/first-data';
import { useState } from 'preact/compat';
import { useViewer } from '../../app/app.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormCard, FormPage, textOf } from '../../ui/form-page.tsx';
import { KeptPages } from '../../ui/kept-pages.tsx';
import { AboutClaiming } from './about-claiming.tsx';
import { tokenIn } from './kept-token.ts';

/** A form for the token, if the link has none. */
export function TokenForm({ form, onToken }: { form: ShownForm; onToken: (token: string) => void }) {
  const viewer = useViewer();
  const [isWrong, setWrong] = useState(false);
  const send = (sent: FormData) => {
    const token = tokenIn(textOf(sent, 'token'));
    setWrong(token === null);
    if (token !== null) onToken(token);
  };
  return (
    <FormPage title="Claim a page">
      <div className="stack">
        <KeptPages />
        <FormCard action="/claim" failure={isWrong ? null : form.problem} onSend={send}>
          <AboutClaiming />
          <Field
            label="Claim token"
            name="token"
            autoComplete="off"
            autoCapitalize="none"
            spellcheck={false}
            maxLength={400}
            required
            defaultValue={form.values.token}
            hint="It starts with sp_claim_ and came with the page. The whole link will do."
            problem={isWrong ? 'This is not a claim token: copy it again, from its beginning.' : undefined}
          />
          <Button type="submit" whole className="script-only">
            Continue
          </Button>
          <noscript>
            <WithoutScript viewer={viewer} />
          </noscript>
        </FormCard>
      </div>
    </FormPage>
  );
}

/** The form without script: the browser sends it, and the page is claimed at once. */
function WithoutScript({ viewer }: { viewer: Viewer | null }) {
  if (viewer === null)
    return (
      <p>
        <a href="/sign-in?next=/claim">Sign in</a> first; the page is claimed for that account. No account
        yet? <a href="/sign-up?next=/claim">Sign up</a>
      </p>
    );
  return (
    <>
      {viewer.handle === null && (
        <p>
          You have no handle yet: <a href="/handle?next=/claim">choose one</a> before you claim.
        </p>
      )}
      <Button type="submit" whole>
        Claim the page
      </Button>
    </>
  );
}
