/** This property never exists. It carries the type of the value in the type of the text. */
declare const holds: unique symbol;

/** The JSON text of a `Value`, as a column holds it. Only `toJson` makes one. */
export type Json<Value> = string & { readonly [holds]: Value };

export function toJson<Value>(value: Value): Json<Value> {
  // The only cast to `Json`: the text was just made from the value.
  return JSON.stringify(value) as Json<Value>;
}

/**
 * Returns the value that a column's text was made from. Only `toJson` writes such columns, so the type is
 * right.
 */
export function fromJson<Value>(text: Json<Value>): Value {
  return JSON.parse(text);
}
