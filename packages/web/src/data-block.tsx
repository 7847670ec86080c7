const unsafe: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/**
 * JSON in a data block, which browsers do not run (HTML, "data block"). It is escaped, so it cannot end the
 * element.
 */
export function DataBlock({ type, id, data }: { type: string; id?: string; data: unknown }) {
  const json = JSON.stringify(data).replaceAll(/[<>&\u2028\u2029]/gu, (one) => unsafe[one] ?? '');
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: text in a data block is not unescaped; see above
    <script type={type} id={id} dangerouslySetInnerHTML={{ __html: json }} />
  );
}
