/** The unvalidated parameters of a component's call. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Returns fields that are added to `success`. @throws Refusal, and the errors of the module's calls */
export type Component = (parameters: Parameters) => object | Promise<object>;
