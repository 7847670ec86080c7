/** Limits how many connections to one host this process makes at once. */
export interface HostSeats {
  /** Takes a seat. Returns a function that gives it back, or null if all seats are taken. */
  take(host: string): (() => void) | null;
}

export function createHostSeats(most: number): HostSeats {
  const taken = new Map<string, number>();
  return {
    take(host) {
      const before = taken.get(host) ?? 0;
      if (before >= most) return null;
      taken.set(host, before + 1);
      return () => {
        const left = (taken.get(host) ?? 1) - 1;
        if (left === 0) taken.delete(host);
        else taken.set(host, left);
      };
    },
  };
}
