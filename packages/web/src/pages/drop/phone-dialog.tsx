import { encode } from 'uqr';
import { Dialog } from '../../ui/dialog.tsx';

/** An address for the camera of a phone. */
export function PhoneDialog({ address, onClose }: { address: string; onClose: () => void }) {
  const { data, size } = encode(address, { border: 2 });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  const isHere = /^https?:\/\/(?:[^/]*\.)?localhost(?::|\/|$)/u.test(address);
  return (
    <Dialog title="Open it on a phone" onClose={onClose}>
      <svg
        className="drop-code"
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={`QR code of ${address}`}
      >
        <path d={squares.join('')} />
      </svg>
      <p className="quiet small">
        {isHere
          ? 'This service runs on your own machine, which a phone cannot reach by this address.'
          : 'Point its camera here.'}
      </p>
    </Dialog>
  );
}
