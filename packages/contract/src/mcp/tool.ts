import type { z } from 'zod';
import type { publishArchive } from '../one-call.ts';
import type { AnswerOf, BodyInputOf, Operation, ParamsOf, QueryInputOf } from '../operation.ts';
import type { Scope } from '../scopes.ts';

/** The unparsed input of an operation. Parts that the operation does not have are absent. */
export interface ToolCallInput<Op extends Operation = Operation> {
  readonly params?: ParamsOf<Op>;
  readonly query?: QueryInputOf<Op>;
  readonly body?: BodyInputOf<Op>;
  /** A claim token, sent beside the caller's own credential. */
  readonly claim?: string | undefined;
}

/** A file in a tool's input, as text or as bytes. */
export interface GivenFile {
  readonly path: string;
  readonly text?: string | undefined;
  readonly base64?: string | undefined;
}

export interface PublishWish {
  readonly files: readonly GivenFile[];
  readonly query: Omit<NonNullable<QueryInputOf<typeof publishArchive>>, 'spa' | 'entry'>;
  readonly claim?: string | undefined;
}

/** The environment of the tools, on the server or in the command line. All functions throw `ToolRefusal`. */
export interface ToolHost {
  /** Address of the service. */
  readonly app: string;
  call<Op extends Operation>(operation: Op, input?: ToolCallInput<Op>): Promise<AnswerOf<Op>>;
  publish(wish: PublishWish): Promise<AnswerOf<typeof publishArchive>>;
  /** A page of the documentation as Markdown; null if there is none at that path. */
  readDocs(path: string): Promise<string | null>;
}

/** A refusal of the service: its code, its message, the next step, and the additional fields of the error. */
export interface RefusalBody {
  readonly code: string;
  readonly message: string;
  readonly next?: string;
  readonly [field: string]: unknown;
}

export class ToolRefusal extends Error {
  readonly body: RefusalBody;

  constructor(body: RefusalBody) {
    super(body.message);
    this.name = 'ToolRefusal';
    this.body = body;
  }
}

/** Something that an agent can do here (Model Context Protocol, "Tools"). */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** The schema of the result of a call that was not refused. */
  readonly output: Output;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** An example call, shown to a caller whose input was wrong. */
  readonly example: z.input<Input>;
  /** The scope that the token needs, depending on the input; null if no token is needed. */
  readonly scopeOf: (sent: Readonly<Record<string, unknown>>) => Scope | null;
  readonly run: (given: z.output<Input>, host: ToolHost) => Promise<z.output<Output>>;
  /** The text for clients without structured results; by default the result as JSON. */
  readonly textOf?: (result: z.output<Output>) => string;
}

/** Types a tool's function by its own schemas, and returns the tool with the general type of the list. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): Tool {
  // `callTool` passes the input parsed by `input` to `run`, and the result of `run` to `textOf`.
  return tool as unknown as Tool;
}
