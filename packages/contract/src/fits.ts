/** What a visitor sits at, as a browser tells it. */
export type Seat = 'desktop' | 'tablet' | 'phone';

const seatsOf: Readonly<Record<string, readonly Seat[]>> = {
  desktop: ['desktop'],
  gamepad: ['desktop'],
  vr: ['desktop'],
  // What works under a finger on a phone does on a tablet.
  mobile: ['phone', 'tablet'],
  tablet: ['tablet'],
};

/** Where a space that was made for these devices can be played without being told first that it may not work. */
export function seatsFor(devices: readonly string[]): Seat[] {
  return [...new Set(devices.flatMap((device) => seatsOf[device] ?? []))];
}
