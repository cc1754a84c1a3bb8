import { InputError } from '../errors/describedErrors';
import { valueToText } from '../helpers/json';
import type { RestRequest } from '../transport/restTypes';
import type { Field, RequestWithValues, Operation, ParameterValues } from '../types';
import { findLabelByFieldName } from './fieldTree';
import type { ParameterReader } from './parameterReader';
import { readAndCheckFields } from './readFields';
import { checkFieldRelations } from './relations';
import { buildRequest, type FieldsAndRouting } from './routing';

/**
 * Reads and checks the parameters of an item or a trigger, and builds the request as `routing` declares.
 *
 * @param valuesFromEarlierNodes values of the operation's hidden fields, read from the output of earlier nodes
 * @throws InputError for an invalid value, or n8n's own error if an expression fails
 */
export function buildRequestFromParameters(
	operation: FieldsAndRouting & Pick<Operation, 'check' | 'adjustBody'>,
	reader: ParameterReader,
	valuesFromEarlierNodes: ParameterValues = {},
): RequestWithValues {
	const { fields, check, adjustBody } = operation;
	const fieldValues = readAndCheckFields(fields, reader, {
		fields: operation.fromEarlierNodes?.fields ?? [],
		values: valuesFromEarlierNodes,
	});
	const { values, leftOutFilters } = fieldValues;
	checkFieldRelations(fields, values);
	check?.(values);
	const { body: declared = {}, ...request } = buildRequest(operation, fieldValues);
	checkUnsetConflicts(fields, declared);
	const body = adjustBody?.(declared, values) ?? declared;
	const hasBody = Object.keys(body).length > 0;
	const inputHints = reader.isTool ? [] : leftOutFilters.map(describeLeftOutFilter);
	return { values, request: { ...request, ...(hasBody ? { body } : {}) }, inputHints };
}

const describeLeftOutFilter = (label: string): string =>
	`The expression of '${label}' returned no value, so this filter was left out. The list may contain more than you want.`;

/** @throws InputError if clearing an empty field would also clear a field stored in it, e.g. 'Email' in 'Metadata' */
function checkUnsetConflicts(
	fields: readonly Field[],
	body: NonNullable<RestRequest['body']>,
): void {
	const name = [body.unset].flat().find((each) => valueToText(each) in body);
	if (name === undefined) return;
	const label = findLabelByFieldName(fields, valueToText(name));
	throw new InputError(
		label,
		'is empty, which would also clear the values of other fields',
		`Remove '${label}', or the fields that are stored in it.`,
	);
}
