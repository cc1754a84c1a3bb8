import { join, resolve } from 'node:path';

/** The repository's root folder. */
export const ROOT = resolve(__dirname, '../../..');

/** Folder where n8n is installed. */
export const E2E = join(ROOT, 'test', 'e2e');

/** Folder for files kept between runs. Ignored by git. */
export const CACHE = join(E2E, '.cache');
