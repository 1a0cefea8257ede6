export function Pill({ text }: { text: string }) {
  return <span className="pill">{text}</span>;
}
