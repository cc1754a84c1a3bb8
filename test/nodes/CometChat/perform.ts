import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runItem } from '../../../nodes/CometChat/operation/runItem';
import { resources } from '../../../nodes/CometChat/resources';
import { contextsOf, templateOf } from './context';
import type { Service } from './service';

/** Carries out an operation of the node for one item, against a service. */
export async function perform(
	service: Service,
	resource: string,
	operation: string,
	parameters: INodeParameters,
): Promise<IDataObject[]> {
	const { operations } = resources.find(({ value }) => value === resource) ?? { operations: [] };
	const described = operations.find(({ value }) => value === operation);
	if (described === undefined) throw new Error(`There is no operation ${resource} ${operation}`);
	const [context] = contextsOf({
		credentials: service.credentials,
		parameters: { resource, operation, ...parameters },
	});
	const items = await runItem(described).call(context, templateOf({ url: '/' }));
	return items.map(({ json }) => json);
}

/** What a service received, in short: method, path with query, user, body. */
export const sentTo = ({ received }: Service) =>
	received.map(({ method, url, headers, body }) => ({
		line: `${method} ${decodeURIComponent(String(url)).replace('/v3', '')}`,
		...(headers.onbehalfof === undefined ? {} : { user: headers.onbehalfof }),
		...(body === '' ? {} : { body: JSON.parse(body) }),
	}));
