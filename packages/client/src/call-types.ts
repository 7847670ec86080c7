import type { AnswerOf, BodyInputOf, Operation, ParamsOf, QueryInputOf } from '@spaceport/contract/operation';
import type { operations } from '@spaceport/contract/operations';

/** What every call may take beside the operation's own input. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** More request headers: `if-match`, `idempotency-key`. */
  headers?: Record<string, string> | undefined;
  timeoutMs?: number | undefined;
  /** Is shown the headers of an answer that is no error: a space's ETag, for `if-match`. */
  onHeaders?(headers: Pick<Headers, 'get'>): void;
}

/** The input of any operation, once its type no longer matters. */
export interface CallInput {
  params?: Readonly<Record<string, unknown>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
}

// A part is required where the operation has it and `{}` would not do.
type Part<Name extends string, Schema, Value> = Schema extends undefined
  ? unknown
  : undefined extends Value
    ? { [N in Name]?: Value }
    : Record<never, never> extends Value
      ? { [N in Name]?: Value }
      : { [N in Name]: Value };

type SchemaOf<Op, Name extends string> = Op extends { readonly [N in Name]: infer Schema }
  ? Schema
  : undefined;

/** `{ params, query, body }` as the operation's schemas want them; parts that it does not have are absent. */
export type InputOf<Op extends Operation> = Part<'params', SchemaOf<Op, 'params'>, ParamsOf<Op>> &
  Part<'query', SchemaOf<Op, 'query'>, QueryInputOf<Op>> &
  Part<'body', SchemaOf<Op, 'body'>, BodyInputOf<Op>>;

/** The input may be left out where nothing in it is required. */
export type CallArguments<Op extends Operation> =
  Record<never, never> extends InputOf<Op>
    ? [input?: InputOf<Op>, options?: CallOptions]
    : [input: InputOf<Op>, options?: CallOptions];

type AnyOperation = (typeof operations)[number];

/** One method for each operation of the contract, named by its id. */
export type Methods = {
  readonly [Op in AnyOperation as Op['id']]: (...input: CallArguments<Op>) => Promise<AnswerOf<Op>>;
};
