/**
 * Test files that run nightly and before a release instead of after each change, with the reason. Paths are
 * relative to this folder.
 */
module.exports = {
	// Each change runs the check against the sandbox once
	'live/check.soak.ts': 'Tests a tool that is not in the package, which takes a minute',
	// Each change runs the other end-to-end tests, which use most fields and operations in workflows, and checks all
	// recipes without n8n
	'e2e/regular/examplesInModeration.test.ts':
		'Runs the recipes about moderation in n8n, which takes three minutes',
	'e2e/regular/examplesWithPeople.test.ts':
		'Runs the recipes about people in n8n, which takes two minutes',
	'e2e/regular/fields.test.ts': 'Opens each field in the browser, which takes eight minutes',
	'e2e/regular/operations.test.ts':
		'Opens each operation in the browser, which takes seven minutes',
	// Each change runs publication.test.ts, in which n8n starts without CometChat, and the tests with n8n's engine
	'e2e/regular/outages.test.ts':
		'Waits for polls, and through an outage of CometChat, which takes four minutes',
	'e2e/regular/publicationTime.test.ts':
		"Waits for n8n's five tries of a publication, which takes two minutes",
	// Each change runs sendAndWait.test.ts, which waits for a time limit once, too
	'e2e/regular/sendAndWaitTime.test.ts':
		'Answers questions at their time limit, which n8n looks for once a minute',
};
