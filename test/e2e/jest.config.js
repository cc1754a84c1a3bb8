const loadedByNode = require('../loadedByNode.cjs');

/** @type {import('jest').Config} */
module.exports = {
	displayName: 'e2e',
	testEnvironment: 'node',
	roots: ['<rootDir>/regular', '<rootDir>/queue'],
	transform: {
		'^.+\\.ts$': [
			'ts-jest',
			{ tsconfig: '<rootDir>/../../tsconfig.check.json', diagnostics: false },
		],
		...loadedByNode.transform,
	},
	transformIgnorePatterns: loadedByNode.transformIgnorePatterns,
	setupFilesAfterEnv: ['<rootDir>/retry.ts'],
	globalSetup: '<rootDir>/setup.ts',
	globalTeardown: '<rootDir>/teardown.ts',
	// Each test file runs an n8n of its own
	maxWorkers: 1,
	testTimeout: 120_000,
	// What a failing test may leave behind ends with jest: see setup.ts
	forceExit: true,
	verbose: true,
};
