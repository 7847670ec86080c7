export declare function hashFiles(root: string, inputs: readonly string[]): string;
