import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { HandleField } from './handle-field.tsx';
import { useHandle } from './use-handle.ts';

/** Asks for a handle where something needs one, and goes on with it. */
export function HandleDialog({ onChosen, onClose }: { onChosen: () => void; onClose: () => void }) {
  const state = useHandle(() => {
    onClose();
    onChosen();
  });
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
            Take it and go on
          </Button>
        </>
      }
    >
      <p>It is the name of your page and stands on everything you publish. It cannot be changed later.</p>
      {state.failure !== null && <Notice tone="bad">{state.failure}</Notice>}
      <HandleField {...state} />
    </Dialog>
  );
}
