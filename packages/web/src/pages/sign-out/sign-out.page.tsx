import { Button } from '../../ui/button.tsx';
import { FormPage } from '../../ui/form-page.tsx';

/**
 * /sign-out: a button ends the session, so that other sites cannot end it by a link. The browser sends the
 * form.
 */
export default function SignOutPage() {
  return (
    <FormPage title="Sign out?">
      <form className="card stack" method="post" action="/sign-out">
        <p>
          Your API tokens keep working; revoke them in your <a href="/settings">settings</a>.
        </p>
        <Button type="submit" whole>
          Sign out
        </Button>
      </form>
    </FormPage>
  );
}
