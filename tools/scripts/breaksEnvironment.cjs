const { TestEnvironment } = require('jest-environment-node');

/** Skips the tests of a file after its first failure. `--bail` only skips other files. */
module.exports = class extends TestEnvironment {
	#isFailed = false;

	handleTestEvent({ name, test }) {
		if (name === 'test_fn_failure' || name === 'hook_failure') this.#isFailed = true;
		if (name === 'test_start' && this.#isFailed) test.mode = 'skip';
	}
};
