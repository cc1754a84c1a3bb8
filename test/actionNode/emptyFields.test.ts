import type { INodeParameters } from 'n8n-workflow';

import { group, itemsOf, message, refusalOf, user, useSandbox } from './harness';
import { anything, readBody, withRecorder } from './recorder';

const sandbox = useSandbox();

const updateGroup = (updateFields: INodeParameters) =>
	group('update', { groupId: 'all-hands', updateFields });

const updateMessage = (updateFields: INodeParameters) =>
	message('update', { messageId: '101', updateFields });

const updateUser = (updateFields: INodeParameters) =>
	user('update', { userId: 'mira', updateFields });

test.each<[string, INodeParameters, object]>([
	[
		'a group',
		updateGroup({ description: '={{ "" }}', icon: ' ', metadata: '', tags: '={{ [] }}' }),
		{ unset: ['description', 'icon', 'metadata'], tags: [] },
	],
	['a message', updateMessage({ tags: [] }), { tags: [] }],
	[
		'a user',
		updateUser({ avatar: '', link: '', metadata: '', tags: [] }),
		{ unset: ['avatar', 'link', 'metadata'], tags: [] },
	],
	[
		'a group whose expressions return null',
		updateGroup({ description: '={{ null }}', tags: '={{ null }}' }),
		{ unset: ['description'], tags: [] },
	],
	[
		"a group once, including fields of 'Fields to Clear'",
		updateGroup({ description: '', owner: 'leo', unset: ['icon', 'description'] }),
		{ owner: 'leo', unset: ['description', 'icon'] },
	],
])('An Update clears emptied fields of %s', async (_, parameters, body) => {
	await withRecorder(anything, async (recorder) => {
		await itemsOf(recorder, parameters);
		const { unset, ...sent } = readBody(recorder.requests[0]);
		expect({ ...sent, ...(unset ? { unset: [unset].flat().sort() } : {}) }).toEqual(body);
	});
});

test.each<[string, INodeParameters]>([
	['field', updateGroup({})],
	['unknown field', updateGroup({ color: 'red' })],
	['Name', updateGroup({ name: '' })],
	['Text', updateMessage({ text: '' })],
	['Name', updateUser({ name: '' })],
	['Role', updateUser({ role: '' })],
	['Status Message', updateUser({ statusMessage: '' })],
])('An Update of only an empty %s changes nothing, so nothing is sent', async (_, parameters) => {
	expect((await refusalOf(sandbox(), parameters)).message).toBe("'Update Fields' is empty");
});
