// Imports what imports it, and calls a component of it before that module has run.
import { Plain } from './parts';

const called = Plain({ text: 'early' }) as { props: { children: string } };
export const early = called.props.children;
