import { FormDialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/surfaces.tsx';
import { AboutHandle, HandleField } from './handle-field.tsx';
import { useHandle } from './use-handle.ts';

/** Asks for the handle that an action needs, and then goes on with the action. */
export function HandleDialog({ onChosen, onClose }: { onChosen: () => void; onClose: () => void }) {
  const state = useHandle(() => {
    onClose();
    onChosen();
  });
  return (
    <FormDialog
      title="Choose your handle"
      onClose={onClose}
      action="Choose it and continue"
      cancel="Not now"
      busy={state.busy}
      onSubmit={state.choose}
    >
      <AboutHandle />
      {state.failure && <Notice tone="bad">{state.failure}</Notice>}
      <HandleField {...state} />
    </FormDialog>
  );
}
