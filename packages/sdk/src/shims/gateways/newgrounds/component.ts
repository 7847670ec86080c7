/** What a component is called with, as it came over: anything. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Its answer is `success` with what it gives. @throws Refusal, and what calls of the module fail with */
export type Component = (parameters: Parameters) => object | Promise<object>;
