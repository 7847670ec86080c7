import type { Operation } from './operation.ts';

/** The name of a group of operations, as used in addresses. */
export function groupName(tag: string): string {
  return tag.toLowerCase().replaceAll(/[^a-z]+/gu, '-');
}

/** The path at which every service serves the Markdown page of an operation. */
export function operationPage({ tag, id }: Pick<Operation, 'tag' | 'id'>): string {
  return `/docs/api/${groupName(tag)}/${id}.md`;
}
