import { useEffect, useRef, useState } from 'react';
import { Pill } from '@harbour/kit/Pill';
import { Button } from '@/components/Button';
import { Card, CardFooter } from '@/components/Card';
import { Field } from '@/components/Field';
import { Toggle } from '@/components/Toggle';

export function Home() {
  const [orders, setOrders] = useState(0);
  const name = useRef<HTMLInputElement>(null);
  useEffect(() => name.current?.focus(), []);

  return (
    <div className="page">
      <div data-testid="card-today">
        {/* @site:card-today */}
        <Card title="Today">
          <p>
            Warm from the oven, down by the water. <Pill text="New" />
          </p>
          <div className="row">
            {/* @site:order */}
            <Button label="Order now" tone="primary" onClick={() => setOrders(orders + 1)} />
            {/* @site:loaf */}
            {['Rye', 'Spelt', 'Oat'].map((loaf) => <Button key={loaf} label={loaf} tone="quiet" />)}
          </div>
          <CardFooter text="Fresh at six" />
        </Card>
      </div>
      <p data-testid="orders" aria-live="polite">
        Orders: {orders}
      </p>
      {/* @site:name */}
      <Field ref={name} label="Your name" placeholder="For the paper bag" maxLength={40} />
      <Toggle caption="Notify me" />
      <p className="small" data-testid="kinds">
        Kinds of button: {Button.kinds.join(', ')}
      </p>
    </div>
  );
}
