import type { AnswerOf, BodyInputOf, Operation, ParamsOf, QueryInputOf } from '@spaceport/contract/operation';
import type { operations } from '@spaceport/contract/operations';

/** Options of every call, besides the operation's own input. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** More request headers: `if-match`, `idempotency-key`. */
  headers?: Record<string, string> | undefined;
  timeoutMs?: number | undefined;
  /** Called with the headers of a successful answer, for example for a space's ETag (`if-match`). */
  onHeaders?(headers: Pick<Headers, 'get'>): void;
}

/** The input of any operation, without its specific type. */
export interface CallInput {
  params?: Readonly<Record<string, unknown>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
}

// A part is required if the operation has it and `{}` is not a valid value.
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

/**
 * `{ params, query, body }` typed by the operation's schemas. Parts that the operation does not have are
 * absent.
 */
export type InputOf<Op extends Operation> = Part<'params', SchemaOf<Op, 'params'>, ParamsOf<Op>> &
  Part<'query', SchemaOf<Op, 'query'>, QueryInputOf<Op>> &
  Part<'body', SchemaOf<Op, 'body'>, BodyInputOf<Op>>;

/** The arguments of a call. The input may be left out if nothing in it is required. */
export type CallArguments<Op extends Operation> =
  Record<never, never> extends InputOf<Op>
    ? [input?: InputOf<Op>, options?: CallOptions]
    : [input: InputOf<Op>, options?: CallOptions];

type AnyOperation = (typeof operations)[number];

/** One method for each operation of the contract, named by its id. */
export type Methods = {
  readonly [Op in AnyOperation as Op['id']]: (...input: CallArguments<Op>) => Promise<AnswerOf<Op>>;
};
