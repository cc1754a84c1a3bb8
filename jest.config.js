const { availableParallelism } = require('node:os');
const loadedByNode = require('./test/loadedByNode.cjs');

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	// What needs size or time is named *.soak.ts and run by `npm run test:soak`
	testMatch: ['**/*.test.ts'],
	// These have commands of their own, and e2e/ the node_modules of a whole n8n
	modulePathIgnorePatterns: ['<rootDir>/test/e2e/', '<rootDir>/test/compat/'],
	transform: {
		'^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.check.json', diagnostics: false }],
		...loadedByNode.transform,
	},
	transformIgnorePatterns: loadedByNode.transformIgnorePatterns,
	setupFiles: ['<rootDir>/test/seed.ts'],
	globalSetup: '<rootDir>/test/setup.ts',
	// What is tested is what is published: the built files
	moduleNameMapper: {
		'^(?:\\.\\./)+(nodes/CometChat/.*|credentials/.*)$': '<rootDir>/dist/$1',
	},
	// Counted with --coverage only, as .ci/run does: it makes a run an eighth slower
	collectCoverageFrom: ['dist/**/*.js'],
	coverageReporters: ['text', 'json-summary'],
	coverageThreshold: { './dist/nodes/': { branches: 95 }, './dist/credentials/': { branches: 95 } },
	testTimeout: 30_000,
	// Half of the cores, so that the machine stays fit for use; on a small one, both
	maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
};
