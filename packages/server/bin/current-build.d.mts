export declare const buildsFolder: string;
export declare const mainFile: string;
export declare function hashServer(): string;
export declare function currentBuild(): string | null;
