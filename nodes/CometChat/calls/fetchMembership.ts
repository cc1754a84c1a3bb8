import type { IDataObject } from 'n8n-workflow';

import { isRefusedWith, NOT_A_MEMBER_CODES } from '../errors/refusalCodes';
import { expandPath } from '../transport/path';
import { createEntityReader } from '../transport/response';
import type { ItemRequestWithClient } from './call';

/**
 * Reads a group on behalf of a user, then the user. If the user isn't a member, CometChat may send the group
 * without membership fields, or refuse the request (open question 27).
 *
 * @param userPath path of the user, with placeholders, e.g. `/users/{userId}`
 * @returns the group and the user. The group is empty if CometChat refused because the user isn't a member.
 * @throws FailedAttemptsError if a request fails for another reason, or StoppedError if the run was stopped
 */
export async function fetchMembershipAsGroupAndUser(
	userPath: string,
	{ client, request, values }: ItemRequestWithClient,
): Promise<IDataObject> {
	const group = await client
		.sendAndRead(request, createEntityReader('group'))
		.catch((error: unknown): IDataObject => {
			if (isRefusedWith(error, NOT_A_MEMBER_CODES)) return {};
			throw error;
		});
	const user = { method: 'GET', path: expandPath(userPath, values) } as const;
	return { group, user: await client.sendAndRead(user, createEntityReader('user')) };
}
