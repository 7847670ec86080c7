import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '@spaceport/contract/operation';
import { ServiceError } from '../errors.ts';
import { JsonError, oddText, parseJsonBody } from './json.ts';
import { refused } from './parse-part.ts';

const formType = 'application/x-www-form-urlencoded';

/**
 * Parses a body: as JSON, whatever its type header says, because a missing header is no reason to refuse a
 * valid body; as a form, if the operation accepts one.
 * @throws the error that the operation gives for bodies that it cannot read
 */
export function readBody(
  text: string,
  headers: IncomingHttpHeaders,
  operation: Operation | undefined,
): unknown {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (text === '') return undefined;
  if (operation?.media) throw otherThanMedia(operation.media);
  if (operation?.form && type === formType && !text.trimStart().startsWith('{'))
    return fieldsOf(text, operation);
  try {
    return parseJsonBody(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (error.odd) throw refused(operation ?? {}, [{ ...error.odd, kind: 'custom' }], 'body', error.value);
    throw otherThanJson(type, headers['content-encoding']) ?? error;
  }
}

function fieldsOf(text: string, operation: Operation): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const list = operation.form?.lists[name];
    if (list === undefined) fields[name] ??= value;
    else fields[list] ??= value.split(' ').filter((each) => each !== '');
  }
  const odd = oddText(fields);
  if (odd) throw refused(operation, [{ ...odd, kind: 'custom' }], 'body', fields);
  return fields;
}

/** Returns the error for a body whose type header is none of those that the operation takes. */
function otherThanMedia(media: readonly string[]): ServiceError {
  const types = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(media);
  const message = `must be sent as ${types}: its content-type says so`;
  return new ServiceError('invalid', `The body ${message}.`, { issues: [{ path: '', message }] });
}

/**
 * Returns the error for a body of another type that was sent instead of JSON, with a hint where such a body
 * goes; else null.
 */
function otherThanJson(type: string, coding = 'identity'): ServiceError | null {
  if (coding.trim().toLowerCase() !== 'identity') {
    const message = 'must be JSON as it is, not compressed';
    return new ServiceError('invalid', `The body ${message}.`, { issues: [{ path: '', message }] });
  }
  if (type.startsWith('multipart/')) {
    const message = 'must be JSON, not multipart form data';
    return new ServiceError('invalid', `The body ${message}.`, {
      issues: [{ path: '', message }],
      next: (app) =>
        `Files go by PUT, each to its «url» in «uploads», and everything else as JSON: ${app}/docs/publish.md shows the calls.`,
    });
  }
  if (type !== formType) return null;
  const message = 'must be JSON, not a form';
  return new ServiceError('invalid', `The body ${message}.`, {
    issues: [{ path: '', message }],
    next: (app) => `Send the same fields as a JSON object; ${app}/docs/api has an example of each call.`,
  });
}
