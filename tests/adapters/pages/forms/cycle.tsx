// Imports what imports it, and calls a component of it before that module has run.
import { Early } from './parts';

export const early = Early({ text: 'early' });
