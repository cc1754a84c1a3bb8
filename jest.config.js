const { availableParallelism } = require('node:os');
const [nodeVersion] = process.versions.node.split('.');
if (Number(nodeVersion) < 22) {
	throw new Error(
		`The tests need Node.js 22 or later, and this is ${process.version}. Start them with npm or npx, which use the version in node_modules.`,
	);
}

const loadedByNode = require('./test/loadedByNode.cjs');

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	// Slow, large and random tests are named *.soak.ts and run with `npm run test:soak`
	testMatch: ['**/*.test.ts'],
	// These folders have their own test commands, and e2e/ contains the node_modules of an n8n installation
	modulePathIgnorePatterns: ['<rootDir>/test/e2e/', '<rootDir>/test/compat/'],
	transform: {
		'^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.check.json', diagnostics: false }],
		...loadedByNode.transform,
	},
	transformIgnorePatterns: loadedByNode.transformIgnorePatterns,
	setupFiles: ['<rootDir>/test/seed.ts'],
	globalSetup: '<rootDir>/test/setup.ts',
	// Tests import the built files, because these files are published
	moduleNameMapper: {
		'^(?:\\.\\./)+(nodes/CometChat/.*|credentials/.*)$': '<rootDir>/dist/$1',
	},
	// Only `.ci/run nightly` uses --coverage, because collecting coverage slows the tests down by a third
	collectCoverageFrom: ['dist/**/*.js'],
	coverageReporters: ['text', 'json-summary'],
	coverageThreshold: { './dist/nodes/': { branches: 95 }, './dist/credentials/': { branches: 95 } },
	testTimeout: 30_000,
	// One line per snapshot
	snapshotFormat: { min: true, indent: 0, escapeString: false, printBasicPrototype: false },
	// Ending a worker takes longer than Jest's half a second if other processes use the machine, too
	workerGracefulExitTimeout: 10_000,
	// Uses half of the cores so that the machine stays responsive, but at least four workers, because tests wait for
	// responses a third of the time
	maxWorkers: Math.max(4, Math.floor(availableParallelism() / 2)),
};
