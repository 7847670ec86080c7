import { z } from 'zod';
import { asSentence, issueOf, type Problem, parseWith } from '../parse.ts';
import { type RefusalBody, type Tool, type ToolHost, ToolRefusal } from './tool.ts';

/** A tool as `tools/list` describes it. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: Tool['annotations'] & { readonly title: string };
}

interface ObjectSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: true;
  // The protocol allows additional fields in results.
  readonly [field: string]: unknown;
}

/** Returns the tools as `tools/list` answers them. */
export function describeTools(tools: readonly Tool[]): ToolDescription[] {
  return tools.map(({ name, title, description, input, output, annotations }) => ({
    name,
    title,
    description,
    inputSchema: objectSchema(input, 'input'),
    outputSchema: answerSchema(output),
    annotations: { title, ...annotations },
  }));
}

const refusalSchema = z.looseObject({
  code: z.string().meta({ description: 'The error code, as in the API reference.' }),
  message: z.string(),
  next: z.string().optional().meta({ description: 'What helps.' }),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

/** The schema of a result or an `error`, so that clients that validate results accept a refusal. */
function answerSchema(output: z.ZodObject): ObjectSchema {
  const { required, ...schema } = objectSchema(
    output.extend({ error: refusalSchema.optional().meta({ description: 'Why the call was refused.' }) }),
    'output',
  );
  return { ...schema, anyOf: [{ required }, { required: ['error'] }] };
}

function objectSchema(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const override = io === 'output' ? opened : undefined;
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    ...(override && { override }),
  });
  return { ...described, type: 'object' };
}

/**
 * Lets a result have more fields and words than this code knows. Clients check results, and a command line that is
 * older than its service hands on what that answers.
 */
function opened({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.additionalProperties;
  if (jsonSchema.enum === undefined) return;
  jsonSchema.examples = jsonSchema.enum;
  delete jsonSchema.enum;
}

/**
 * Calls a tool by its name. A refusal is returned as a result with `error`.
 * @throws any error of `host` except `ToolRefusal`
 */
export async function callTool(
  tools: readonly Tool[],
  { name, arguments: sent = {} }: { readonly name: string; readonly arguments?: unknown },
  host: ToolHost,
): Promise<ToolResult> {
  const tool = tools.find((each) => each.name === name);
  if (!tool) return refusedResult(unknownTool(name, tools));
  const parsed = parseWith(tool.input, sent);
  if (!parsed.success) return refusedResult(wrongInput(tool, parsed.problems));
  try {
    const result = await tool.run(parsed.data, host);
    return {
      content: [textContent(tool.textOf?.(result) ?? JSON.stringify(result))],
      structuredContent: result,
    };
  } catch (error) {
    if (error instanceof ToolRefusal) return refusedResult(error.body);
    throw error;
  }
}

export function refusedResult(error: RefusalBody): ToolResult {
  return { content: [textContent(JSON.stringify({ error }))], structuredContent: { error }, isError: true };
}

function textContent(text: string) {
  return { type: 'text' as const, text };
}

function unknownTool(name: string, tools: readonly Tool[]): RefusalBody {
  return {
    code: 'not_found',
    message: `There is no tool «${name.slice(0, 60).toWellFormed()}».`,
    next: `The tools are ${tools.map((tool) => tool.name).join(', ')}.`,
  };
}

function wrongInput({ name, input, example }: Tool, problems: readonly Problem[]): RefusalBody {
  const issues = problems.map(issueOf);
  const [issue] = issues;
  const where = issue?.path ? `«${issue.path}»` : 'What was sent';
  return {
    code: 'invalid',
    message: asSentence(`${where} ${issue?.message ?? 'does not match the description of the tool'}`),
    issues,
    next: `Fix what issues name; ${name} takes ${Object.keys(input.shape).join(', ')}, for example ${JSON.stringify(example)}.`,
  };
}
