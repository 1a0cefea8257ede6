import Badge from './Badge';
import { Card } from './Card';
import { Price } from './Price';

export interface Loaf {
  name: string;
  amount: number;
  left: number;
}

export function Shelf({ title, loaves }: { title: string; loaves: Loaf[] }) {
  return (
    <section className="shelf" data-testid="shelf">
      <h2>{title}</h2>
      <p className="shelf-note">Baked this morning, gone by noon.</p>
      <div className="grid">
        {loaves.map((loaf) => (
          <Card key={loaf.name} title={loaf.name} padding="sm">
            <Price amount={loaf.amount} />
            <Badge text="left" count={loaf.left} />
          </Card>
        ))}
      </div>
    </section>
  );
}
