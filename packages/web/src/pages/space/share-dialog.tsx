import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';

/** The address to pass on, and the device's own way of sharing where it has one. */
export default function ShareDialog({
  title,
  address,
  onClose,
}: {
  title: string;
  address: string;
  onClose: () => void;
}) {
  // Some browsers lack it, whatever the types say.
  const canShare = typeof navigator.share === 'function';
  const share = () => {
    navigator.share({ title, url: address }).then(onClose, () => {
      // The reader closed the share sheet.
    });
  };
  return (
    <Dialog title={`Share ${title}`} onClose={onClose}>
      <CopyField label="Address" value={address} />
      {canShare && (
        <Button variant="plain" icon="share" onClick={share}>
          Share with an app
        </Button>
      )}
    </Dialog>
  );
}
