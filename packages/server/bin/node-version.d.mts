export declare function refusalOf(version: string): string | null;
