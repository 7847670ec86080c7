import { z } from 'zod';
import { nextStep } from './checked.ts';
import { defineTool, ToolRefusal } from './tool.ts';

/** The page that leads to all others. */
const startPath = '/llms.txt';

export const docsTool = defineTool({
  name: 'docs',
  title: 'Documentation',
  description:
    'How to publish, and how a page uses players, scores, saves and achievements, as Markdown. Without a path: the page to start with, which links to the others.',
  input: z.strictObject({
    path: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'A path that a page links to: /docs/….md, /examples/…' }),
  }),
  output: z.object({ path: z.string(), markdown: z.string(), next: nextStep }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: {},
  scopeOf: () => null,
  async run({ path = startPath }, host) {
    const asked = pathOf(path, host.app);
    const markdown = asked === null ? null : await host.readDocs(asked);
    if (asked === null || markdown === null)
      throw new ToolRefusal({
        code: 'not_found',
        message: `There is no page of the documentation at «${path}».`,
        next: 'Call docs without a path: that page links to the others.',
      });
    const linked = linkedIn(markdown, host.app).filter((each) => each !== asked);
    const next = linked.length === 0 ? 'Go on with publish.' : `docs takes: ${linked.join(', ')}.`;
    return { path: asked, markdown, next };
  },
  textOf: ({ markdown }) => markdown,
});

const documented =
  /^\/(?:llms\.txt|skill\.md|docs\/(?:[a-z0-9-]+\/)*[a-z0-9-]+\.md|examples\/(?:[\w-]+\/)*[\w-]+\.[\w.]+)$/iu;

/**
 * Reads a path that a caller asks for. An address of the service is accepted, and a path without a leading
 * slash.
 */
function pathOf(text: string, app: string): string | null {
  const own = text.startsWith(`${app}/`) ? text.slice(app.length) : text;
  const path = own.startsWith('/') ? own : `/${own}`;
  return documented.test(path) ? path : null;
}

/** The pages that a page links to, in its order, each once. */
function linkedIn(markdown: string, app: string): string[] {
  const named =
    markdown.match(
      /(?:https?:\/\/[^\s/)]+)?\/(?:skill\.md|docs\/[a-z0-9/-]+\.md|examples\/[\w/-]+\.\w[\w.]*\w)/giu,
    ) ?? [];
  return [...new Set(named.map((each) => pathOf(each, app)))].filter((path) => path !== null);
}
