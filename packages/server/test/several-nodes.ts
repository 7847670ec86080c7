/**
 * A marker: a test that imports this file runs on PostgreSQL only. It is about several processes on one
 * database, and SQLite serves only one process.
 */
export {};
