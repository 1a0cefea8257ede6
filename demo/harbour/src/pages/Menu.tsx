import { Children, isValidElement } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Card } from '../components/Card';
import { Shelf } from '../components/Shelf';
import type { Loaf } from '../components/Shelf';

const LOAVES: Loaf[] = [
  { name: 'Rye', amount: 4.2, left: 6 },
  { name: 'Spelt', amount: 4.8, left: 3 },
  { name: 'Oat', amount: 4.5, left: 8 },
  { name: 'Seeded', amount: 5.1, left: 2 },
];

/** Shows its cards beside each other, and drops every child that is not a card. */
function Tabs({ children }: { children: ReactNode }) {
  const cards = Children.toArray(children).filter(
    (child) => isValidElement(child) && child.type === Card,
  );
  return (
    <div className="tabs" data-testid="tabs" data-count={cards.length}>
      {cards}
    </div>
  );
}

export function Menu() {
  return (
    <div className="page">
      <Tabs>
        <Card title="Bread" subtitle="daily">
          <p>
            Long dough, dark crust. <Link to="/menu/rye">The rye</Link>
          </p>
        </Card>
        <Card title="Sweet things">
          <p>Buns and twists, from seven.</p>
        </Card>
        <p>Not a card, so not a tab.</p>
      </Tabs>
      <Shelf title="On the shelf" loaves={LOAVES} />
    </div>
  );
}
