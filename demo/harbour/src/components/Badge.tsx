import { memo } from 'react';

interface BadgeProps {
  text: string;
  count?: number;
}

export default memo(function Badge({ text, count }: BadgeProps) {
  return (
    <span className="badge">
      {text}
      {count !== undefined && <b className="badge-count">{count}</b>}
    </span>
  );
});
