import { joinMessageAndDescription } from '../helpers/formatText';

/** Moves an error's advice into its message, because n8n shows only the message if publishing a workflow fails. */
export function moveAdviceIntoMessage<T extends Error>(error: T): T {
	return Object.assign(error, {
		message: joinMessageAndDescription(error),
		description: undefined,
	});
}
