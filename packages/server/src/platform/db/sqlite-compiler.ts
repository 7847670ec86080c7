import { type LimitNode, type OffsetNode, SqliteQueryCompiler } from 'kysely';

/**
 * Writes limits and offsets as casts, so that SQLite plans a statement once. SQLite makes a plan for the
 * value of a bare parameter in `limit`, and plans the statement anew for each other value. Planning takes
 * longer than most statements.
 */
export class StableSqliteCompiler extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit cast(');
    this.visitNode(limit);
    this.append(' as integer)');
  }

  protected override visitOffset({ offset }: OffsetNode): void {
    this.append('offset cast(');
    this.visitNode(offset);
    this.append(' as integer)');
  }
}
