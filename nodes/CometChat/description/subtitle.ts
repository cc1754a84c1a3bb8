/**
 * Returns code that reads the name of a user or group picked from a list. Only `$rawParameter` exposes a picker's
 * cached name.
 */
const toPickedNameCode = (field: string) => `$rawParameter.toJSON?.().${field}?.cachedResultName`;

/** n8n expression code that formats the resource and the operation, e.g. "Group: List Members". */
const RESOURCE_AND_OPERATION_CODE =
	'($parameter.resource+": "+$parameter.operation.replace(/[A-Z]/g," $&")).toTitleCase()';

/**
 * Expression for the node's subtitle: the picked user or group, e.g. "Makers (makers)", or else the resource and
 * the operation. The expression is short, because n8n evaluates the subtitle of each node in a workflow.
 */
export const SUBTITLE = `={{ ${toPickedNameCode('userId')}||${toPickedNameCode('groupId')}||${RESOURCE_AND_OPERATION_CODE} }}`;
