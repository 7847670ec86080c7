/**
 * Imported for its name alone: a test that imports it, itself or through a helper, runs on SQLite and not on PostgreSQL
 * too. It says of a test one of two things:
 *
 * - It looks at a program beside the service (a browser, the command line, npm), which sees the service's answers and cannot
 *   tell the engines apart. Such a program costs ten times a call over HTTP, and what it has the service ask of its
 *   database has tests over HTTP, on both.
 * - It looks at what is decided above the database (a request's form, a scope, a page, a limit), one call after the
 *   other, and every statement that the service makes in it is made on PostgreSQL by another file. The whole run checks
 *   that (`scripts/test-runner/statements/`).
 */
export {};
