import { groupPageOf } from '../../transport/answer';
import { InputError, toFlag, toInteger, toUid } from '../../transport/input';
import { GROUP_COLUMNS, shapeOf } from '../../transport/output';
import type { PagePlan } from '../../transport/pages';
import { MAX_ITEMS, eachGroup, eachPage } from '../../transport/pages';
import type { ItemContext } from '../../transport/run';
import { operation } from '../../transport/run';
import { send } from '../../transport/send';
import { collection } from '../../transport/settings';
import { groupQuery, pageOptions } from './query';

function limitOf(context: ItemContext, asPages: boolean): number {
	// n8n takes "Limit" as shown when "Return All" is an expression: only this order is right
	if (toFlag('Return All', context.getNodeParameter('returnAll', false))) return Infinity;
	const limit = toInteger(
		'Limit',
		context.getNodeParameter('limit', 50),
		1,
		Number.MAX_SAFE_INTEGER,
	);
	if (limit > MAX_ITEMS && !asPages) {
		throw new InputError(
			'Limit',
			`is more than ${MAX_ITEMS.toLocaleString('en-US')}, which is as many single items as n8n can hand on`,
			'Lower "Limit", or set "Output" to "Pages".',
		);
	}
	return limit;
}

/** Lists groups, page after page. */
export const listGroups = operation(async (context, { options: template }, channel, keep) => {
	const output = context.getNodeParameter('output', 'raw');
	const asPages = output === 'pages';
	const limit = limitOf(context, asPages);
	const onBehalfOf = toUid('On Behalf Of', context.getNodeParameter('onBehalfOf', ''));
	const query = groupQuery(
		{ ...collection(context, 'filters', 'Filters'), ...collection(context, 'sort', 'Sort') },
		context.getTimezone(),
	);
	if (query.hasJoined === true && onBehalfOf === undefined) {
		throw new InputError(
			'On Behalf Of',
			'is empty, but "Has Joined" needs it',
			'Fill in the UID of the user whose groups are wanted, or take "Has Joined" away.',
		);
	}
	const plan: PagePlan = {
		...pageOptions(collection(context, 'options', 'Options'), limit),
		limit,
	};
	let isWanted = true;
	const fetchPage = async (page: number) =>
		await send(
			{ ...channel, isWanted: () => isWanted },
			{
				method: template.method ?? 'GET',
				path: String(template.url),
				query: { ...query, page, perPage: plan.perPage },
				onBehalfOf,
			},
			groupPageOf,
		);
	try {
		if (asPages) {
			await eachPage(plan, fetchPage, (page) => {
				keep([page]);
				return true;
			});
		} else {
			const fields = context.getNodeParameter('fields', []);
			const shape = shapeOf(output, fields, GROUP_COLUMNS);
			await eachGroup(plan, fetchPage, (groups) => keep(groups.map(shape)));
		}
	} finally {
		isWanted = false;
	}
});
