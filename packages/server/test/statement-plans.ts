import { DatabaseSync } from 'node:sqlite';

/** Tables that grow with the service, and may never be scanned for a request. */
const growing =
  `spaces versions manifests version_paths slugs boards board_players submissions rankings entries
  ranking_segments bans creators blobs blob_forms blob_uploads stored_bytes player_stats unlocks saves content content_likes guests guest_stats
  search_docs search_labels`.split(/\s+/u);

/** Statements about a state that few rows have: versions that wait for their check. */
const fewRows = /"version"\."stopped" = \?/u;

/** A database, and the statements that SQLite got. */
export interface AskedStatements {
  /** Returns the plans of statements that scan a growing table, or read it by a state that most rows have. */
  wholeReads(): { plan: string; statement: string }[];
  restore(): void;
}

/** Only migrations change the schema. */
const schemaChange = /^\s*(?:alter|create|drop)\b/iu;

/**
 * Records each statement that is prepared from now on, on any SQLite database of this process. Statements before a
 * change of the schema are left out: they belong to the service's migration, and may name what is gone.
 */
export function noteStatements(): AskedStatements {
  const { prepare } = DatabaseSync.prototype;
  const asked = new Map<string, DatabaseSync>();
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, statement) {
    if (schemaChange.test(statement)) asked.clear();
    else if (/^\s*(?:select|with|update|delete|insert)/iu.test(statement)) asked.set(statement, this);
    return prepare.call(this, statement);
  };
  return {
    wholeReads: () =>
      [...asked].flatMap(([statement, database]) =>
        planOf(database, statement)
          .filter((step) => isWholeRead(step, statement))
          .map((plan) => ({ plan, statement })),
      ),
    restore() {
      DatabaseSync.prototype.prepare = prepare;
    },
  };

  function planOf(database: DatabaseSync, statement: string): string[] {
    if (!database.isOpen) return [];
    const rows = prepare.call(database, `explain query plan ${statement}`).all();
    return rows.map(({ detail }) => String(detail));
  }
}

/** Returns whether a step scans a table. A list in index order is no scan, because it ends after a page. */
function isWholeRead(step: string, statement: string): boolean {
  const scanned = /^SCAN (?<name>\S+)(?<by> USING (?:COVERING )?INDEX)?/u.exec(step)?.groups;
  if (scanned?.name) {
    if (scanned.by && /\blimit\b/iu.test(statement)) return false;
    return growing.includes(tableOf(scanned.name, statement));
  }
  const byState = /^SEARCH (?<name>\S+) .*\((?:state|status)=\?\)$/u.exec(step)?.groups?.name;
  if (byState === undefined || /\blimit\b/iu.test(statement)) return false;
  return growing.includes(tableOf(byState, statement)) && !fewRows.test(statement);
}

/** Returns the table of an alias: `"spaces" as "space"`. */
function tableOf(name: string, statement: string): string {
  const alias = new RegExp(`"?(?<table>\\w+)"? as "?${name}"?(?!\\w)`, 'iu').exec(statement);
  return alias?.groups?.table ?? name;
}
