import type { TokenChoice } from '@spaceport/contract/first-data';
import type { OwnToken } from '@spaceport/contract/own-tokens';
import { settingsDone } from '@spaceport/contract/settings-done';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/use-form.ts';
import { useIsThere } from '../../data/use-is-there.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { textOf } from '../../ui/form-page.tsx';
import { chosenScopes } from '../../ui/scope-choice.tsx';
import { showToast } from '../../ui/toast.tsx';
import { type MakeProps, NarrowTokenFields, NewTokenFields } from './token-forms.tsx';

/**
 * Makes a token by hand, for example for a build server. `onMade` gets the token, which is shown once, also if the
 * dialog was closed meanwhile.
 */
export function NewTokenDialog({
  onMade,
  onClose,
  ...make
}: MakeProps & {
  onMade: (made: OwnToken, token: string) => void;
  onClose: () => void;
}) {
  const isThere = useIsThere();
  const form = useForm(['name', 'scopes'], async (sent) => {
    const scopes = chosenScopes(sent);
    // The boxes show the problem themselves.
    if (scopes.length === 0) return;
    const space = textOf(sent, 'space');
    const { token, about } = await client.createToken({
      body: {
        name: textOf(sent, 'name'),
        scopes,
        space: space === '' ? null : space,
        days: Number(textOf(sent, 'days')),
      },
    });
    onMade(about, token);
    if (isThere()) onClose();
  });
  return (
    <FormDialog
      title="Make a token"
      action="Make the token"
      busy={form.busy}
      onClose={onClose}
      onSubmit={form.send}
    >
      <NewTokenFields {...make} form={form} />
    </FormDialog>
  );
}

/** Shows a token that was just made. */
export function MadeTokenDialog({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Dialog title="Your new token" once onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
      <p>Copy it now: it is shown only this once.</p>
      <CopyField label="Token" value={token} />
    </Dialog>
  );
}

/** Reduces the rights of a token. */
export function NarrowTokenDialog({
  token,
  choice,
  onChanged,
  onClose,
}: {
  token: OwnToken;
  choice: TokenChoice;
  onChanged: (changed: OwnToken) => void;
  onClose: () => void;
}) {
  const isThere = useIsThere();
  const form = useForm(['scopes'], async (sent) => {
    const scopes = chosenScopes(sent);
    if (scopes.length === 0) return;
    const space = textOf(sent, 'space');
    const body = { scopes, ...(space !== '' && { space }) };
    onChanged((await client.changeToken({ params: { id: token.id }, body })).token);
    showToast(settingsDone.narrowed);
    if (isThere()) onClose();
  });
  return (
    <FormDialog
      title={`Narrow ${token.client_name ?? 'the token'}`}
      action="Narrow it"
      busy={form.busy}
      onClose={onClose}
      onSubmit={form.send}
    >
      <NarrowTokenFields token={token} choice={choice} form={form} />
    </FormDialog>
  );
}
