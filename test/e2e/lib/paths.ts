import { join, resolve } from 'node:path';

/** Root folder of the package. */
export const ROOT = resolve(__dirname, '../../..');

/** Folder in which n8n is installed. */
export const E2E = join(ROOT, 'test', 'e2e');

/** Files kept between runs, ignored by git. */
export const CACHE = join(E2E, '.cache');
