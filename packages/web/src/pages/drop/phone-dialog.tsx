import { Dialog } from '../../ui/dialog.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

/** Shows an address as a QR code for a phone. */
export function PhoneDialog({ address, onClose }: { address: string; onClose: () => void }) {
  const isHere = /^https?:\/\/(?:[^/]*\.)?localhost(?::|\/|$)/u.test(address);
  return (
    <Dialog title="Open it on a phone" onClose={onClose}>
      <QrCode address={address} />
      <p className="quiet small">
        {isHere
          ? 'This service runs on your own machine, which a phone cannot reach by this address.'
          : 'Point its camera here.'}
      </p>
    </Dialog>
  );
}
