/** A list of files or fields: the first few, and the number of the others. */
export function Lines({ lines, shown = 8 }: { lines: readonly string[]; shown?: number }) {
  if (lines.length === 0) return null;
  if (lines.length === 1) return <p className="drop-line">{lines[0]}</p>;
  const more = lines.length - shown;
  return (
    <ul className="drop-lines">
      {lines.slice(0, shown).map((line) => (
        <li key={line}>{line}</li>
      ))}
      {more > 0 && <li>and {more.toLocaleString('en')} more</li>}
    </ul>
  );
}
