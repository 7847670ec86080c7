import { encode } from 'uqr';
import './qr-code.css';

/** An address as a QR code. */
export function QrCode({ address }: { address: string }) {
  const { data, size } = encode(address, { border: 2 });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code of ${address}`}>
      <path d={squares.join('')} />
    </svg>
  );
}
