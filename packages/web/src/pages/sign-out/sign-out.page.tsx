import { BrowserForm } from '../../ui/browser-form.tsx';
import { Button } from '../../ui/button.tsx';
import { FormPage } from '../../ui/form-page.tsx';

/**
 * /sign-out: a button ends the session, so that other sites cannot end it by a link. The browser sends the
 * form.
 */
export default function SignOutPage() {
  return (
    <FormPage title="Sign out?">
      <BrowserForm className="card stack" action="/sign-out">
        <p>
          Your API tokens keep working; revoke them in your <a href="/settings">settings</a>.
        </p>
        <Button type="submit" whole>
          Sign out
        </Button>
      </BrowserForm>
    </FormPage>
  );
}
