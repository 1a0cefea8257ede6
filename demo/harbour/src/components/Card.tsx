import { memo } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import Badge from './Badge';

interface CardProps {
  title: string;
  subtitle?: string;
  padding?: 'none' | 'sm' | 'md' | 'lg';
  elevated?: boolean;
  style?: CSSProperties;
  children?: ReactNode;
}

const Card = memo(function Card({
  title,
  subtitle,
  padding = 'md',
  elevated = false,
  style,
  children,
}: CardProps) {
  return (
    <section className={`card card-${padding}${elevated ? ' card-elevated' : ''}`} style={style}>
      <h3 className="card-title">
        {title}
        {subtitle && <Badge text={subtitle} />}
      </h3>
      {children}
    </section>
  );
});

function CardFooter({ text }: { text: string }) {
  return <footer className="card-footer">{text}</footer>;
}

export { Card, CardFooter };
