import type { IDataObject } from 'n8n-workflow';

import { readRefusalCode } from '../errors/serviceWords';
import { expandPath } from '../transport/path';
import { entityReader } from '../transport/response';
import type { OperationCall } from './call';

/** CometChat's error codes for a user who isn't a member of an existing group. */
const NOT_A_MEMBER = ['ERR_GROUP_NOT_JOINED', 'ERR_NOT_A_MEMBER', 'ERR_BANNED_GROUPMEMBER'];

/**
 * Reads a group on behalf of a user, and the user. CometChat may send the group without a membership, or refuse
 * the request, if the user isn't a member (open question 27).
 *
 * @param path path of the user, with parameter names
 * @returns both responses. The group is empty if CometChat refused the request.
 */
export async function readMember(
	path: string,
	{ client, request, values }: OperationCall,
): Promise<IDataObject> {
	const group = await client
		.send(request, entityReader('group'))
		.catch((error: unknown): IDataObject => {
			if (NOT_A_MEMBER.includes(readRefusalCode(error) ?? '')) return {};
			throw error;
		});
	const user = { method: 'GET', path: expandPath(path, values) } as const;
	return { group, user: await client.send(user, entityReader('user')) };
}
