import { classNames } from './class-names.ts';
import { initialOf, tintOf } from './tint.ts';

/** A person as a disc with the initial. The name is shown beside it. */
export function Avatar({ name, large = false }: { name: string; large?: boolean }) {
  return (
    <span className={classNames('avatar', tintOf(name), large && 'avatar--large')} aria-hidden="true">
      {initialOf(name)}
    </span>
  );
}
