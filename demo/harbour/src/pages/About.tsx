import { Swatch } from '../components/Swatch';

export function About() {
  return (
    <div className="page prose">
      <h2>About us</h2>
      <p>Three bakers, one oven, and a window to the harbour since 1987.</p>
      <p className="row">
        How dark you like it: <Swatch color="#e0b070" /> <Swatch color="#b87333" />{' '}
        <Swatch color="#6b3f1d" />
      </p>
      <p>
        Our flour has <a href="https://example.com/mill">a story of its own</a>, and the tide has{' '}
        <a href="https://example.org/tides" target="_blank" rel="noreferrer">
          a timetable
        </a>
        .
      </p>
    </div>
  );
}
