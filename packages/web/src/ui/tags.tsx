/** Tags of a space, each leading to what else has it. */
export function TagLinks({ tags }: { tags: readonly string[] }) {
  return (
    <ul className="tag-links" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <a href={`/?tag=${tag}`}>#{tag}</a>
        </li>
      ))}
    </ul>
  );
}

/** What somebody typed as a tag, as it is written: `Two players!` is `two-players`. What has no letter for one stays. */
export function toTag(typed: string): string {
  const plain = typed.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.replaceAll(/[^a-z0-9]+/gu, '-').replaceAll(/^-+|-+$/gu, '') || typed;
}
