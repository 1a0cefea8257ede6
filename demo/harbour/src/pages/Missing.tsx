export function Missing() {
  return (
    <div className="page prose">
      <h2>Nothing here</h2>
      <p>This page is out, like the last croissant.</p>
    </div>
  );
}
