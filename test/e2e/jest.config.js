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
	// Each test file starts its own n8n. Tests often wait, e.g. for a poll, and another file runs meanwhile
	maxWorkers: 2,
	testTimeout: 300_000,
	// A failed test can leave processes running. The global setup ends these processes with jest.
	forceExit: true,
	verbose: true,
};
