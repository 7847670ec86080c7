/**
 * Imported for its name alone: a test that imports it runs on PostgreSQL and nowhere else. It is about several processes on
 * one database, and SQLite serves one.
 */
export {};
