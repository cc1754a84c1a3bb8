const { availableParallelism } = require('node:os');
const loadedByNode = require('./test/loadedByNode.cjs');

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	// `npm run test:soak` runs slow and large tests, named *.soak.ts
	testMatch: ['**/*.test.ts'],
	// Both folders have their own commands, and e2e/ contains the node_modules of a whole n8n
	modulePathIgnorePatterns: ['<rootDir>/test/e2e/', '<rootDir>/test/compat/'],
	transform: {
		'^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.check.json', diagnostics: false }],
		...loadedByNode.transform,
	},
	transformIgnorePatterns: loadedByNode.transformIgnorePatterns,
	setupFiles: ['<rootDir>/test/seed.ts'],
	globalSetup: '<rootDir>/test/setup.ts',
	// Tests run the published code, the built files
	moduleNameMapper: {
		'^(?:\\.\\./)+(nodes/CometChat/.*|credentials/.*)$': '<rootDir>/dist/$1',
	},
	// Only `.ci/run` uses --coverage, because coverage makes a run an eighth slower
	collectCoverageFrom: ['dist/**/*.js'],
	coverageReporters: ['text', 'json-summary'],
	coverageThreshold: { './dist/nodes/': { branches: 95 }, './dist/credentials/': { branches: 95 } },
	testTimeout: 30_000,
	// Half of the cores, so that the machine stays usable, but at least two
	maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
};
