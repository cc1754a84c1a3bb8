import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox, Settings } from '../../sandbox/server';
import { jsonOf } from './harness';

/** A group with few messages of its own. */
export const GROUP = 'watercooler';

/** Messages of the group, of which five and five were sent in the same second. */
export const COUNT = 23;

export const ORDERS = ['newestFirst', 'oldestFirst'] as const;

type Order = (typeof ORDERS)[number];

/** Parameters of the node for the group's messages. */
export const list = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'message',
	operation: 'list',
	output: 'raw',
	groupId: GROUP,
	...more,
});

export const idsIn = (items: Array<Record<string, unknown>>) => items.map(({ id }) => String(id));

/** Ids of the group's messages, oldest first. */
export const oldestFirst = ({ store }: Sandbox) =>
	store.messages
		.all()
		.filter(({ receiver }) => receiver === GROUP)
		.map(({ id }) => id);

/** Sends messages to the group until it has `COUNT`. */
export function fillGroup(sandbox: Sandbox): void {
	for (let index = oldestFirst(sandbox).length; index < COUNT; index++) {
		const sentAt = 1_760_000_000 + Math.floor(index / 5);
		const text = `Message ${index}`;
		sandbox.store.sendMessage({ sender: 'mira', receiver: GROUP, text, sentAt });
	}
}

/**
 * Every way in which the service may behave where its document says nothing. But a page that is
 * short and names no next one is the end of the list.
 */
export const BEHAVIOURS: Array<Partial<Settings>> = (['ascending', 'descending'] as const).flatMap(
	(messageOrder) =>
		(['exclusive', 'inclusive'] as const).flatMap((idBoundary) =>
			(['more', 'always', 'never'] as const).flatMap((nextShown) =>
				(nextShown === 'never' ? [0] : [0, 3]).map((maxMessagesPerPage) => ({
					messageOrder,
					idBoundary,
					nextShown,
					maxMessagesPerPage,
				})),
			),
		),
);

/** Expects each message once and in order, by these limits and sizes of pages. */
export async function expectEachOnce(
	sandbox: Sandbox,
	order: Order,
	limits: number[],
	sizes: number[],
): Promise<void> {
	const ids = oldestFirst(sandbox);
	const inOrder = order === 'oldestFirst' ? ids : ids.reverse();
	for (const limit of limits) {
		const items = await jsonOf(sandbox, list({ order, limit }));
		expect({ limit, ids: idsIn(items) }).toEqual({ limit, ids: inOrder.slice(0, limit) });
	}
	for (const perPage of sizes) {
		const items = await jsonOf(sandbox, list({ order, returnAll: true, options: { perPage } }));
		expect({ perPage, ids: idsIn(items) }).toEqual({ perPage, ids: inOrder });
	}
	expect(sandbox.violations).toEqual([]);
}
