import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/**
 * Publishes a folder by the tool `publish` of a service's MCP endpoint, in one call. @throws the tool's
 * refusal
 */
export async function callTool(
  baseUrl: string,
  token: string,
  folder: string,
  more: Readonly<Record<string, unknown>>,
): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const base64 = (await readFile(path)).toString('base64');
        return { path: relative(folder, path).replaceAll(sep, '/'), base64 };
      }),
  );
  const answer = await fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'publish', arguments: { files, ...more } },
    }),
  });
  const text = await answer.text();
  if (!answer.ok || /"isError":\s*true|"error":\s*\{/u.test(text)) throw new Error(text.slice(0, 1_000));
  return text;
}
