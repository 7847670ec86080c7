/**
 * The headers of every JSON answer. A browser may open one as a document: it loads and runs nothing, and no page
 * frames it.
 */
export const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
