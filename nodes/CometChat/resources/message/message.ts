import { expandPath } from '../../transport/path';
import { messageOf } from '../../transport/answer';
import { InputError, toUid } from '../../transport/input';
import { MESSAGE_COLUMNS, shapeOf } from '../../transport/output';
import { operation } from '../../transport/run';
import { send } from '../../transport/send';

/** Labels of the parameters that a path may name. */
const LABELS: Record<string, string> = { messageId: 'Message ID', reaction: 'Reaction' };

/**
 * One request about one message, which answers that message.
 *
 * @param needsUser whether the service demands "On Behalf Of"
 */
export const oneMessage = (needsUser: boolean) =>
	operation(async (context, { options }, channel, keep) => {
		const path = expandPath(String(options.url), (name) => ({
			field: LABELS[name],
			value: context.getNodeParameter(name, ''),
		}));
		const onBehalfOf = toUid('On Behalf Of', context.getNodeParameter('onBehalfOf', ''));
		if (needsUser && onBehalfOf === undefined) {
			throw new InputError(
				'On Behalf Of',
				'is empty',
				'Fill in the UID of the user whose reaction is removed.',
			);
		}
		const shape = shapeOf(
			context.getNodeParameter('output', 'raw'),
			context.getNodeParameter('fields', []),
			MESSAGE_COLUMNS,
		);
		const method = options.method ?? 'GET';
		keep([shape(await send(channel, { method, path, query: {}, onBehalfOf }, messageOf))]);
	});
