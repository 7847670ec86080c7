import type { Operation } from './operation.ts';

/** Of a group of operations, as addresses spell it. */
export function groupName(tag: string): string {
  return tag.toLowerCase().replaceAll(/[^a-z]+/gu, '-');
}

/** Where every service serves what there is to know of an operation, as Markdown. */
export function operationPage({ tag, id }: Pick<Operation, 'tag' | 'id'>): string {
  return `/docs/api/${groupName(tag)}/${id}.md`;
}
