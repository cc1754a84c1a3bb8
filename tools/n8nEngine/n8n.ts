import './environment';

import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Core from 'n8n-core';
import type * as Workflow from 'n8n-workflow';

/**
 * Loads n8n's engine and the built package. Tests of other n8n versions or of the packed tarball set:
 * - `COMETCHAT_N8N_ROOT`: a folder whose node_modules contains n8n-core and n8n-workflow
 * - `COMETCHAT_PACKAGE_ROOT`: a folder that contains the package's `dist`
 */
const projectRoot = join(__dirname, '../..');
const load = createRequire(join(process.env.COMETCHAT_N8N_ROOT ?? projectRoot, 'package.json'));

load('reflect-metadata');

export const core: typeof Core = load('n8n-core');
export const workflow: typeof Workflow = load('n8n-workflow');

export const packageRoot = process.env.COMETCHAT_PACKAGE_ROOT ?? projectRoot;

/** n8n-workflow 1.x defaults to an old expression evaluator, which n8n replaces with Tournament. */
const evaluator: { setEvaluator?: (name: string) => void } | undefined = Reflect.get(
	workflow,
	'ExpressionEvaluatorProxy',
);
evaluator?.setEvaluator?.('tournament');

/** Loads the module that creates n8n's services, e.g. its storage for files. */
export const loadInjection = (): {
	Container: { get: <T>(type: new (...from: never[]) => T) => T };
} => load('@n8n/di');
