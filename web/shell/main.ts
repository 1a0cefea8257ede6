import '../kit/base.css';

import { mount } from 'svelte';

import { link } from '../kit/link.svelte.ts';
import { theme } from '../kit/theme.svelte.ts';
import App from './App.svelte';

theme.apply();
link.start();
const target = document.getElementById('app');
if (target) mount(App, { target });
