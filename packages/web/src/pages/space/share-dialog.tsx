import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

/** The address to pass on, and the device's own way of sharing where it has one; of a room with its code, for those who sit beside. */
export default function ShareDialog({
  title,
  address,
  isInvitation,
  code,
  onClose,
}: {
  title: string;
  address: string;
  /** The game asks for others: for those who sit beside it is shown to be read by a camera. */
  isInvitation: boolean;
  /** Of the room that the address leads into; null where it leads into none. */
  code: string | null;
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
    <Dialog title={isInvitation ? `Invite to ${title}` : `Share ${title}`} onClose={onClose}>
      {isInvitation && <QrCode address={address} />}
      {code !== null && <CopyField label="Code of the room" value={code} />}
      <CopyField label="Address" value={address} />
      {canShare && (
        <Button variant="plain" icon="share" onClick={share}>
          Share with an app
        </Button>
      )}
    </Dialog>
  );
}
