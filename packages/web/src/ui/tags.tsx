/** The tags of a space, each a link to the spaces with that tag. */
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

/** Normalises a typed tag: `Two players!` is `two-players`. Letters that a tag cannot have are kept. */
export function toTag(typed: string): string {
  const plain = typed.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.replaceAll(/[^a-z0-9]+/gu, '-').replaceAll(/^-+|-+$/gu, '') || typed;
}
