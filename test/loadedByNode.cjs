/**
 * Modules that Node.js loads instead of jest. Node.js loads each module once per process. Jest would load the
 * modules again for each test file, which takes a second for n8n's engine. These modules have their own
 * globals, see seed.ts.
 */
const NAMES = [
	'@n8n/di',
	'fast-check',
	'fastify',
	'js-yaml',
	'n8n-core',
	'n8n-workflow',
	'openapi-backend',
	'undici',
	'zod',
];

const requireOf = (path) =>
	`process.getBuiltinModule('node:vm').runInThisContext('process').getBuiltinModule('node:module').createRequire(${path})(${path})`;

module.exports = {
	// Jest options
	transform: { [`/node_modules/(${NAMES.join('|')})/.+\\.c?js$`]: __filename },
	transformIgnorePatterns: [`/node_modules/(?!(${NAMES.join('|')})/)`],

	// Called by jest for each of these modules
	process: (_source, path) => ({ code: `module.exports = ${requireOf(JSON.stringify(path))};` }),
	getCacheKey: (_source, path) => path,
};
