import type { RouteObject } from 'react-router-dom';
import { About } from './pages/About';
import { Account } from './pages/Account';
import { Home } from './pages/Home';
import { Item } from './pages/Item';
import { Menu } from './pages/Menu';
import { Missing } from './pages/Missing';
import { Shell } from './pages/Shell';

export const routes: RouteObject[] = [
  {
    id: 'root',
    path: '/',
    element: <Shell />,
    children: [
      { index: true, id: 'home', element: <Home /> },
      { path: 'menu', id: 'menu', element: <Menu /> },
      { path: 'menu/:itemId', id: 'item', element: <Item /> },
      { path: 'about', element: <About /> },
      { id: 'members', children: [{ path: 'account', id: 'account', element: <Account /> }] },
      { path: '*', id: 'bad/id', element: <Missing /> },
    ],
  },
];
