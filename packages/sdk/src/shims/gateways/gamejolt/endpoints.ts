/** Parameters of a call, by their names. */
export type Fields = URLSearchParams;

/** Its answer is `success: true` with what it gives, which may say otherwise. @throws Failure */
export type Endpoint = (fields: Fields) => object | Promise<object>;
