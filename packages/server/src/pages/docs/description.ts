import { groupName } from '@spaceport/contract/doc-paths';
import { buildOpenApi } from '@spaceport/contract/openapi';
import type { Operation } from '@spaceport/contract/operation';
import { operations } from '@spaceport/contract/operations';
import type { Described } from '../reference/described.ts';
import type { Schemas } from '../reference/schema.ts';

/** The description as buildOpenApi makes it. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Schemas };
}

export interface DescribedGroup {
  readonly tag: string;
  /** The group's name in addresses. */
  readonly name: string;
  readonly operations: readonly { readonly operation: Operation; readonly described: Described }[];
}

/** The order of groups, the most important first. A group that is not listed comes before the last ones. */
const order = [
  'Account',
  'Hosting',
  'Listing',
  'Boards',
  'Achievements',
  'Server to server',
  'Players',
  'Moderation',
  'Gallery',
];
const last = ['Operators', 'Sign-in', 'My account'];

export function describeAll(): { groups: readonly DescribedGroup[]; description: Description } {
  // The description was made from our own schemas.
  const description = buildOpenApi() as unknown as Description;
  const all = operations as readonly Operation[];
  const place = (tag: string) => {
    if (last.includes(tag)) return order.length + 1 + last.indexOf(tag);
    return order.includes(tag) ? order.indexOf(tag) : order.length;
  };
  const groups = [...new Set(all.map(({ tag }) => tag))]
    .sort((a, b) => place(a) - place(b))
    .map((tag) => ({
      tag,
      name: groupName(tag),
      operations: all
        .filter((operation) => operation.tag === tag)
        .flatMap((operation) => {
          const described = description.paths[operation.path]?.[operation.method.toLowerCase()];
          return described ? [{ operation, described }] : [];
        }),
    }));
  return { groups, description };
}
