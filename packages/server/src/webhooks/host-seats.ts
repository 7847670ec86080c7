/** Lets so many talk to one host at once, in this process. */
export interface HostSeats {
  /** Takes a seat; returns how to leave it, or null where all are taken. */
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
