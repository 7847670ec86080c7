/**
 * Imported for its name alone: a test that imports it, itself or through a helper, runs on SQLite and not on PostgreSQL
 * too. It says of a test that it looks at a program beside the service (a browser, the command line, npm), which sees
 * the service's answers and cannot tell the engines apart. Such a program costs ten times a call over HTTP, and what it has
 * the service ask of its database has tests over HTTP, on both.
 */
export {};
