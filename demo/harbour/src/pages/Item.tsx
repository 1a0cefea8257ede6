import { useParams } from 'react-router-dom';
import { Button } from '../components/Button';
import { Card } from '../components/Card';

function computed() {
  return ['Reserve', 'one'].join(' ');
}

const props = { label: 'Ask the baker', tone: 'quiet' } as const;

export function Item() {
  const { itemId = '' } = useParams();
  return (
    <div className="page">
      <Card title={itemId} elevated>
        <p>Butter & salt, nothing else.</p>
        <div className="row">
          {/* @site:computed */}
          <Button label={computed()} />
          {/* @site:spread */}
          <Button {...props} />
          {/* @site:shorthand */}
          <Button label="Sold out" disabled />
        </div>
      </Card>
    </div>
  );
}
