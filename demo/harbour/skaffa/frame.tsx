import type { ReactNode } from 'react';

/** Stands around the whole application while it is previewed with the harness configuration. */
export function Frame({ children }: { children: ReactNode }) {
  return <div data-testid="frame" className="frame">{children}</div>;
}
