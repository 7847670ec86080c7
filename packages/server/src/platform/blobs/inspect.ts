export function createInspector(): {
  update(chunk: Uint8Array): void;
  result(): { sharedMemory: boolean; secretCandidates: string[] };
} {
  return { update() {}, result: () => ({ sharedMemory: false, secretCandidates: [] }) };
}
