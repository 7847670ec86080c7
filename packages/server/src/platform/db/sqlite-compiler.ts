import { type LimitNode, type OffsetNode, SqliteQueryCompiler } from 'kysely';

/**
 * Spells statements so that SQLite plans them once: a bare parameter as a limit is a value that the plan was made for, and
 * one that is given anew has the statement planned anew, which takes longer than most statements.
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
