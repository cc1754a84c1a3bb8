const base = require('../../jest.config.js');

/** The tests that run n8n's engine, on the package and the n8n that the environment names. */
module.exports = {
	...base,
	rootDir: '../..',
	roots: ['<rootDir>/test/actionNode', '<rootDir>/test/memory'],
	// Not the soak tests of large inputs, on which n8n's version has no influence
	testMatch: [
		...base.testMatch,
		'**/{books,environment,everyField,oracle,progress,settings}.soak.ts',
	],
	moduleNameMapper: {
		'^(?:\\.\\./)+(nodes/CometChat|credentials)/(.*)$': `${process.env.COMETCHAT_PACKAGE_ROOT}/dist/$1/$2`,
	},
	collectCoverage: false,
	coverageThreshold: undefined,
	maxWorkers: 1,
};
