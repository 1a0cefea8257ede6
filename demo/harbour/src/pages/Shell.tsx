import { NavLink, Outlet } from 'react-router-dom';

export function Shell() {
  return (
    <div className="shell">
      <header className="shell-header">
        <h1>Harbour Bakery</h1>
        <nav aria-label="Pages">
          <NavLink to="/" end>
            Home
          </NavLink>
          <NavLink to="/menu" end>
            Menu
          </NavLink>
          <NavLink to="/about">About</NavLink>
          <NavLink to="/account">Account</NavLink>
        </nav>
      </header>
      <main>
        <Outlet />
      </main>
    </div>
  );
}
