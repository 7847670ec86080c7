import { type ReactNode, useEffect, useRef } from 'preact/compat';

/**
 * The heading of a stage that replaced another one. It takes the focus, so that screen readers announce it.
 */
export function StageTitle({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
