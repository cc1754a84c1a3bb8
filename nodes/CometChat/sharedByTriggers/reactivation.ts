import type { IHookFunctions, IPollFunctions, WorkflowActivateMode } from 'n8n-workflow';

/** Modes in which n8n reactivates published workflows: when n8n starts, and when the leader instance changes. */
const REACTIVATION_MODES: WorkflowActivateMode[] = ['init', 'leadershipChange'];

/**
 * True if n8n itself activates a trigger, not a person who publishes the workflow. Triggers then log errors
 * instead of throwing them, because n8n 2.x never restarts a failed trigger.
 */
export const isReactivatedByN8n = (context: IHookFunctions | IPollFunctions): boolean =>
	REACTIVATION_MODES.includes(context.getActivationMode());
