import { useState } from 'react';
import { Note } from '../components/Note';

export function Account() {
  const [shown, setShown] = useState(true);
  return (
    <div className="page">
      <h2>Your account</h2>
      <Note text="The tenth loaf is on us." />
      {shown && <Note kind="warn" text="Closed on Mondays." onDismiss={() => setShown(false)} />}
    </div>
  );
}
