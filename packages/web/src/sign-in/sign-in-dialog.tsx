import { useState } from 'preact/compat';
import { useViewer } from '../app/app.tsx';
import { HandleField } from '../handle/handle-field.tsx';
import { useHandle } from '../handle/use-handle.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/surfaces.tsx';
import { SignInFields } from './sign-in-fields.tsx';
import { SignUpFields, useSignUp } from './sign-up-fields.tsx';
import { useSignIn } from './use-sign-in.ts';

export interface SignInDialogProps {
  /** The purpose of signing in, as a sentence. */
  readonly why: string;
  /** Called when the browser has a session. */
  readonly onSignedIn: () => Promise<unknown>;
  /** Called when the dialog closes, whether or not somebody signed in. */
  readonly onClose: () => void;
}

/** A dialog to sign in or up. The page below goes on, and a running game is not reloaded. */
export default function SignInDialog({ why, onSignedIn, onClose }: SignInDialogProps) {
  const viewer = useViewer();
  const [isNew, setNew] = useState(false);
  if (viewer !== null)
    return viewer.handle === null ? <HandleStep onClose={onClose} onChosen={onSignedIn} /> : null;
  return isNew ? (
    <SignUpStep why={why} onSignedIn={onSignedIn} onClose={onClose} onOther={() => setNew(false)} />
  ) : (
    <SignInStep why={why} onSignedIn={onSignedIn} onClose={onClose} onOther={() => setNew(true)} />
  );
}

interface StepProps extends SignInDialogProps {
  readonly onOther: () => void;
}

function SignInStep({ why, onSignedIn, onClose, onOther }: StepProps) {
  const signIn = useSignIn(onSignedIn);
  return (
    <Dialog title="Sign in" onClose={onClose} onSubmit={signIn.send}>
      <p className="quiet small">{why}</p>
      {signIn.failure && <Notice tone="bad">{signIn.failure}</Notice>}
      <SignInFields {...signIn} />
      <div className="row row--apart">
        <Button variant="quiet" size="small" onClick={onOther}>
          Make an account
        </Button>
        <a className="small" href="/reset" target="_blank" rel="noopener">
          Forgot your password?
        </a>
      </div>
    </Dialog>
  );
}

function SignUpStep({ why, onSignedIn, onClose, onOther }: StepProps) {
  const signUp = useSignUp(onSignedIn);
  return (
    <Dialog title="Make an account" onClose={onClose} onSubmit={signUp.send}>
      <p className="quiet small">{why}</p>
      {signUp.above && <Notice tone="bad">{signUp.above}</Notice>}
      <SignUpFields {...signUp} />
      <div className="row">
        <Button variant="quiet" size="small" onClick={onOther}>
          I have an account
        </Button>
      </div>
    </Dialog>
  );
}

/** Asks for a handle, because an account without one is in no ranking. */
function HandleStep({ onClose, onChosen }: { onClose: () => void; onChosen: () => Promise<unknown> }) {
  const state = useHandle(onChosen);
  return (
    <Dialog
      title="Choose your handle"
      onClose={onClose}
      onSubmit={state.choose}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" busy={state.busy}>
            Take it and play on
          </Button>
        </>
      }
    >
      <p>It is the name that players see beside your scores. It cannot be changed later.</p>
      {state.failure && <Notice tone="bad">{state.failure}</Notice>}
      <HandleField {...state} />
    </Dialog>
  );
}
