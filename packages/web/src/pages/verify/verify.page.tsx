import type { PageProps } from '../../app/pages.ts';
import { BrowserForm } from '../../ui/browser-form.tsx';
import { Button } from '../../ui/button.tsx';
import { FormPage } from '../../ui/form-page.tsx';

/** /verify: the page behind the link in the mail. The browser sends its form without script. */
export default function VerifyPage({ data: { token, isDone } }: PageProps<'verify'>) {
  if (isDone)
    return (
      <FormPage title="Thank you">
        <div className="card stack">
          <p role="status">Your e-mail address is confirmed.</p>
          <p>
            <a href="/settings">Go to your settings</a>
          </p>
        </div>
      </FormPage>
    );
  return (
    <FormPage title="Confirm your e-mail address">
      <BrowserForm className="card stack" action="/verify">
        <p>One press, and we know that mail to you arrives.</p>
        <input type="hidden" name="token" value={token} />
        <Button type="submit" whole>
          Confirm
        </Button>
      </BrowserForm>
    </FormPage>
  );
}
