import { type ReactNode, useLayoutEffect, useRef } from 'preact/compat';

/**
 * The heading of a stage that replaced another one. It takes the focus, so that screen readers announce it: as soon
 * as it is drawn, because after the next frame somebody may be in a field already.
 */
export function StageTitle({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
