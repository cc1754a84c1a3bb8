import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { getRowType, listSelectableColumnNames } from '../output/columns';
import type { Resource, ParameterValues } from '../types';

/**
 * Creates the method that lists the options of the parameter 'Fields'. The method sends no request, and needs no
 * credential.
 *
 * @param list returns the column names for the node's parameters. The names may repeat.
 */
export const createLoaderFromColumnLister = (list: (parameters: ParameterValues) => string[]) =>
	async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const names = new Set(list(this.getCurrentNodeParameters() ?? {}));
		return await Promise.resolve([...names].map((name) => ({ name, value: name })));
	};

/**
 * Creates the method that lists the columns of the chosen operation for 'Fields'. If the operation is unknown, the
 * method lists the columns of all operations that have 'Fields'.
 */
export function createChosenOperationColumnLoader(resources: readonly Resource[]) {
	const all = resources.flatMap(({ value: resource, operations }) =>
		operations
			.filter(({ hasOwnRunner }) => !hasOwnRunner)
			.map((operation) => ({ resource, operation })),
	);
	return createLoaderFromColumnLister((parameters) => {
		const chosen = all.filter(
			({ resource, operation }) =>
				resource === parameters.resource && operation.value === parameters.operation,
		);
		return (chosen.length > 0 ? chosen : all).flatMap(({ operation }) =>
			listSelectableColumnNames(getRowType(operation), parameters),
		);
	});
}
