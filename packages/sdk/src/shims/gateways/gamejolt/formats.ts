import type { Answered } from '../answer-calls.ts';

/** The answer of an endpoint. In every format all values are text. */
export interface Answer {
  readonly success: boolean;
  readonly [name: string]: unknown;
}

/** Returns the answer in the format that the game asked for; `keypair` by default. */
export function inFormat(answer: Answer, format: string | null): Answered {
  switch (format) {
    case 'json':
      return { type: 'application/json', text: JSON.stringify({ response: asTexts(answer) }) };
    case 'xml':
      return {
        type: 'application/xml',
        text: `<?xml version="1.0" encoding="UTF-8"?>\n<response>${elements(answer)}</response>`,
      };
    case 'dump':
      return {
        type: 'text/plain',
        text: [
          answer.success ? 'SUCCESS' : 'FAILURE',
          ...pairs(answer)
            .slice(1)
            .map(([, value]) => value),
        ].join('\n'),
      };
    default:
      return {
        type: 'text/plain',
        text: pairs(answer)
          .map(([name, value]) => `${name}:"${value.replaceAll('"', '\\"')}"\n`)
          .join(''),
      };
  }
}

function asTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asTexts(one)]));
}

/** Returns all names and values as one flat list, with those of nested lists. */
function pairs(value: object): [string, string][] {
  return Object.entries(value).flatMap(([name, one]): [string, string][] =>
    typeof one === 'object' && one !== null
      ? (Array.isArray(one) ? one : [one]).flatMap(pairs)
      : [[name, String(one ?? '')]],
  );
}

function elements(value: object): string {
  return Object.entries(value)
    .map(([name, one]) => {
      const inside = Array.isArray(one)
        ? one.map((item) => `<${singular(name)}>${elements(item)}</${singular(name)}>`).join('')
        : typeof one === 'object' && one !== null
          ? elements(one)
          : `<![CDATA[${String(one ?? '').replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
      return `<${name}>${inside}</${name}>`;
    })
    .join('');
}

/** Returns the singular of a list's name: `trophies` → `trophy`. */
function singular(name: string): string {
  return name.replace(/ies$/u, 'y').replace(/s$/u, '');
}
