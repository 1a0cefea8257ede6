import { useState } from 'react';
import type { KeyboardEvent } from 'react';

interface ToggleProps {
  on?: boolean;
  caption: string;
}

/** Flips when the pointer goes down, as many menus and sliders do, and not on the click. */
export const Toggle = ({ on = false, caption }: ToggleProps) => {
  const [isOn, setOn] = useState(on);
  const flip = () => setOn((now) => !now);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      flip();
    }
  };
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      className="toggle"
      onPointerDown={flip}
      onKeyDown={onKeyDown}
    >
      <span className="toggle-track" aria-hidden="true" />
      {caption}
    </button>
  );
};
