/** Never there: it keeps what a text holds in its type. */
declare const holds: unique symbol;

/** JSON text of a `Value`, as a column holds it. Nothing but `toJson` makes one. */
export type Json<Value> = string & { readonly [holds]: Value };

export function toJson<Value>(value: Value): Json<Value> {
  // The one place where text becomes more than text: it was just made of the value.
  return JSON.stringify(value) as Json<Value>;
}

/** What a column's text was made of. Only `toJson` wrote there, so that it is what its type says. */
export function fromJson<Value>(text: Json<Value>): Value {
  return JSON.parse(text);
}
