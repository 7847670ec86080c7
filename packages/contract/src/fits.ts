/** The visitor's kind of device, as far as a browser can tell. */
export type Seat = 'desktop' | 'tablet' | 'phone';

const seatsOf: Readonly<Record<string, readonly Seat[]>> = {
  desktop: ['desktop'],
  gamepad: ['desktop'],
  vr: ['desktop'],
  // A game that works by touch on a phone works on a tablet.
  mobile: ['phone', 'tablet'],
  tablet: ['tablet'],
};

/** Returns the kinds of device on which a space made for these devices is played without a warning. */
export function seatsFor(devices: readonly string[]): Seat[] {
  return [...new Set(devices.flatMap((device) => seatsOf[device] ?? []))];
}
