import { join, resolve } from 'node:path';

/** The package's own folder. */
export const ROOT = resolve(__dirname, '../../..');

/** Where the whole n8n is installed, in a package of its own. */
export const E2E = join(ROOT, 'test', 'e2e');

/** What is kept between runs; git ignores it. */
export const CACHE = join(E2E, '.cache');
