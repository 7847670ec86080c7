/** Parameters of a call, by name. */
export type Fields = URLSearchParams;

/** Returns fields that are added to `success: true`, and may override it. @throws Failure */
export type Endpoint = (fields: Fields) => object | Promise<object>;
