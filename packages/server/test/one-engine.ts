/**
 * A marker: a test that imports this file, itself or through a helper, runs on SQLite only, not on PostgreSQL
 * too. It means one of two things:
 *
 * - The test is about a program beside the service (a browser, the command line, npm), which sees only the
 *   service's answers and cannot tell the engines apart. Such a test costs ten times as much as a call over
 *   HTTP, and the database queries behind it have tests over HTTP on both engines.
 * - The test is about logic above the database (a request's form, a scope, a page, a limit), with one call at
 *   a time, and other files run each of its statements on PostgreSQL. The whole run checks that
 *   (`scripts/test-runner/statements/`).
 */
export {};
