/** Result of checking an operation or a webhook event. */
export interface CheckResult {
	name: string;
	/**
	 * For operations, the status and error code of each response. For webhook events, the number of
	 * deliveries.
	 */
	outcome: string;
	deviations: string[];
}
