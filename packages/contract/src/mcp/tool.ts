import type { z } from 'zod';
import type { publishArchive } from '../one-call.ts';
import type { AnswerOf, BodyInputOf, Operation, ParamsOf, QueryInputOf } from '../operation.ts';
import type { Scope } from '../scopes.ts';

/** What a call of an operation takes, before it is parsed; parts that the operation does not have are absent. */
export interface ToolCallInput<Op extends Operation = Operation> {
  readonly params?: ParamsOf<Op>;
  readonly query?: QueryInputOf<Op>;
  readonly body?: BodyInputOf<Op>;
  /** A claim token, sent beside the caller's own credential. */
  readonly claim?: string | undefined;
}

/** A file as a tool is given it: its text, or its bytes. */
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

/** What tools work with: whoever calls them, wherever they run. Everything throws `ToolRefusal`. */
export interface ToolHost {
  /** Address of the service. */
  readonly app: string;
  call<Op extends Operation>(operation: Op, input?: ToolCallInput<Op>): Promise<AnswerOf<Op>>;
  publish(wish: PublishWish): Promise<AnswerOf<typeof publishArchive>>;
  /** A page of the documentation as Markdown; null if there is none at that path. */
  readDocs(path: string): Promise<string | null>;
}

/** How a refusal of the service is told: its code, its sentence, what helps, and the fields that the error names. */
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
  /** Of a call that was not refused. */
  readonly output: Output;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** A call as it might be made: shown to who made a wrong one. */
  readonly example: z.input<Input>;
  /** What a token has to be for, given what was sent; null where none is needed. */
  readonly scopeOf: (sent: Readonly<Record<string, unknown>>) => Scope | null;
  readonly run: (given: z.output<Input>, host: ToolHost) => Promise<z.output<Output>>;
  /** What a client without structured results shows; the result as JSON where absent. */
  readonly textOf?: (result: z.output<Output>) => string;
}

/** Keeps a tool's own types while its function is written, and forgets them for the list of all. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): Tool {
  // `callTool` gives `run` what `input` parsed, and `textOf` what `run` answered.
  return tool as unknown as Tool;
}
