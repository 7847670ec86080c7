import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

/**
 * The address to share, with the device's share function if it has one. For a room it also shows the code.
 */
export default function ShareDialog({
  title,
  address,
  isInvitation,
  code,
  onClose,
}: {
  title: string;
  address: string;
  /** Whether the game invites others: then a QR code is shown for people nearby. */
  isInvitation: boolean;
  /** Code of the room that the address leads into, or null. */
  code: string | null;
  onClose: () => void;
}) {
  // Some browsers lack it, although the types say otherwise.
  const canShare = typeof navigator.share === 'function';
  const share = () => {
    navigator.share({ title, url: address }).then(onClose, () => {
      // Rejected when the reader closes the share sheet.
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
