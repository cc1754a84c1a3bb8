/** Runs the test files in the order in which the command line names them. */
export default class Sequencer {
	#order;

	constructor({ globalConfig }) {
		this.#order = globalConfig.nonFlagArgs;
	}

	sort(tests) {
		const place = ({ path }) => this.#order.findIndex((name) => path.endsWith(name));
		return [...tests].sort((a, b) => place(a) - place(b));
	}

	allFailedTests(tests) {
		return tests;
	}

	cacheResults() {}
}
