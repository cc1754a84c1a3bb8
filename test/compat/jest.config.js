const base = require('../../jest.config.js');

/** The tests that run n8n's engine, on the package and the n8n that the environment names. */
module.exports = {
	...base,
	rootDir: '../..',
	roots: ['<rootDir>/test/actionNode'],
	// n8n's HTTP client applies proxies and certificates
	testMatch: [...base.testMatch, '**/environment.soak.ts'],
	moduleNameMapper: {
		'^(?:\\.\\./)+(nodes/CometChat|credentials)/(.*)$': `${process.env.COMETCHAT_PACKAGE_ROOT}/dist/$1/$2`,
	},
	collectCoverage: false,
	coverageThreshold: undefined,
	maxWorkers: 1,
};
