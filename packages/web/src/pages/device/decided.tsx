import type { DecidedDevice } from '@spaceport/contract/first-data';
import { FormPage } from '../../ui/form-page.tsx';

/** Shows the decision, and the next step. */
export function Decided({
  decided: { clientName, decision },
  isNew,
}: {
  decided: DecidedDevice;
  isNew: boolean;
}) {
  const what = clientName ?? 'The program';
  if (decision === 'deny')
    return (
      <FormPage title="Refused" isNew={isNew}>
        <div className="card stack">
          <p>
            <strong>{what}</strong> was not signed in. Nothing else needs to be done.
          </p>
          <p className="quiet small">
            If somebody asked you to enter that code: they tried to get into your account.
          </p>
        </div>
      </FormPage>
    );
  return (
    <FormPage title="Done" isNew={isNew}>
      <div className="card stack">
        <p>
          <strong>{what}</strong> is signed in. You can close this page and go back to it.
        </p>
        <p className="quiet small">
          Its token is in your <a href="/settings">settings</a>, where you can revoke it.
        </p>
      </div>
    </FormPage>
  );
}
