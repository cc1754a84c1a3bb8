import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';

/** The key `<<` merges another mapping into its mapping. */
const SCHEMA = CORE_SCHEMA.withTags(mergeTag);

/** Parses a YAML file, whose path is relative to this folder. */
export const readYaml = (path: string): unknown =>
	load(readFileSync(join(__dirname, path), 'utf8'), { schema: SCHEMA });
