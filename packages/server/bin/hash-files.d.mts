export declare function hashFiles(
  root: string,
  inputs: readonly string[],
  stamp: string,
  youngMs?: number,
): string;
