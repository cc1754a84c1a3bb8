import type {
	IDataObject,
	INodeExecutionData,
	IPollFunctions,
	NodeParameterValueType,
} from 'n8n-workflow';

import { shapeOf } from '../operation/output';
import { readFields } from '../operation/request';
import { retryPolicyOf } from '../operation/parameters';
import { group } from '../resources/group/entity';
import type { RetryPolicy } from '../transport/retry';
import { DEFAULT_MAX_GROUPS, triggerProperties } from './properties';
import type { EventName, Occurrence } from './events';

/** The trigger's parameters, checked. */
export interface Settings {
	event: EventName;
	filters: IDataObject;
	onBehalfOf?: string;
	/** Most groups that one poll returns */
	most: number;
	retry: RetryPolicy;
	toItems: (occurrences: Occurrence[]) => INodeExecutionData[];
}

/** @throws InputError for anything that must not be sent */
export function readSettings(context: IPollFunctions): Settings {
	const source = {
		read: (name: string, fallback: NodeParameterValueType) =>
			context.getNodeParameter(name, fallback),
		parameters: context.getNode().parameters,
		timezone: context.getTimezone(),
	};
	const { values, query } = readFields(triggerProperties, source);
	const { event, onBehalfOf, options, output, fields } = values;
	return {
		event: event as EventName,
		onBehalfOf: onBehalfOf as string | undefined,
		filters: query,
		most: Number((options as IDataObject).maxGroups ?? DEFAULT_MAX_GROUPS),
		retry: retryPolicyOf(options),
		toItems: itemsOf(output, fields),
	};
}

function itemsOf(output: unknown, fields: unknown): Settings['toItems'] {
	if (output === 'pages') {
		return (occurrences) => [{ json: { data: occurrences.map(({ group: entity }) => entity) } }];
	}
	const shape = shapeOf(output, fields, group);
	return (occurrences) => occurrences.map(({ group: entity }) => ({ json: shape(entity) }));
}
