/**
 * Modules that Node.js itself loads, as in n8n, and once for all test files of a process; jest would
 * load them for each file, which takes the engine a second. They have globals of their own: see seed.ts.
 */
const NAMES = ['n8n-core', 'n8n-workflow', 'openapi-backend', 'yaml', 'zod'];

const requireOf = (path) =>
	`process.getBuiltinModule('node:vm').runInThisContext('process').getBuiltinModule('node:module').createRequire(${path})(${path})`;

module.exports = {
	// Options of a jest configuration
	transform: { [`/node_modules/(${NAMES.join('|')})/.+\\.c?js$`]: __filename },
	transformIgnorePatterns: [`/node_modules/(?!(${NAMES.join('|')})/)`],

	// Called by jest for each of these modules
	process: (_source, path) => ({ code: `module.exports = ${requireOf(JSON.stringify(path))};` }),
	getCacheKey: (_source, path) => path,
};
