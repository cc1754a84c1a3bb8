import { getRowType, listColumnNamesShownIfFilled } from '../../nodes/CometChat/output/columns';
import type { OutputRowType, Resource } from '../../nodes/CometChat/types';
import {
	COMMON_EVENTS,
	MORE_EVENTS,
	getLabelOfEventDefinition,
	type EventDefinition,
} from '../../nodes/CometChat/webhookTrigger/events';
import { POLLED_EVENTS } from '../../nodes/CometChat/pollingTrigger/polledEvents';
import { createBotMessageEntity } from '../../nodes/CometChat/botTrigger/message';
import { listSimplifiedColumnNames } from '../../nodes/CometChat/webhookTrigger/eventItems';
import { listCode, mergeNames, type Entry } from './markdown';

/** Columns that all events have, listed only once on the page. */
const COLUMNS_OF_ALL_EVENTS = ['event', 'at', 'by', 'byName'];

/** Formats entries with the same columns as a line. */
const linesOf = (entries: Entry[]): string =>
	mergeNames(entries)
		.map(([names, columns]) => `- ${names}: ${listCode(columns)}`)
		.join('\n');

function linesOfResource({ name, operations }: Resource): string {
	const returned = operations
		.filter(({ hasOwnRunner }) => !hasOwnRunner)
		.map((operation) => [operation.name, getRowType(operation)] as const);
	return `**${name}**\n\n${linesOfEntities(returned)}`;
}

/** Formats the columns of entries, and then the columns that only some rows have. */
function linesWithOptionalColumns(columns: Entry[], columnsShownIfFilled: Entry[]): string {
	const optional = columnsShownIfFilled.filter(([, names]) => names.length > 0);
	if (optional.length === 0) return linesOf(columns);
	return `${linesOf(columns)}\n\nIn rows with a value for them:\n\n${linesOf(optional)}`;
}

const linesOfEntities = (entities: ReadonlyArray<readonly [name: string, OutputRowType]>): string =>
	linesWithOptionalColumns(
		entities.map(([name, entity]) => [name, Object.keys(entity.columns)]),
		entities.map(([name, entity]) => [name, listColumnNamesShownIfFilled(entity)]),
	);

/** Lists the columns of all operations, of the bot trigger and of the polling trigger. */
export function formatColumns(resources: Resource[]): string {
	const polled = Object.values(POLLED_EVENTS).map(({ label, entity }) => [label, entity] as const);
	return [
		...resources.map(linesOfResource),
		`**CometChat Bot Trigger**\n\n${linesOfEntities([['Message', createBotMessageEntity({ botId: '', includeActions: false })]])}`,
		`**CometChat Polling Trigger**\n\n${linesOfEntities(polled)}`,
	].join('\n\n');
}

const linesOfEvents = (events: readonly EventDefinition[]): string =>
	linesWithOptionalColumns(
		events.map((event) => [
			getLabelOfEventDefinition(event),
			listSimplifiedColumnNames(event).filter((name) => !COLUMNS_OF_ALL_EVENTS.includes(name)),
		]),
		events.map((event) => [
			getLabelOfEventDefinition(event),
			listColumnNamesShownIfFilled(event.entity),
		]),
	);

/** Lists the webhook trigger's events and their columns, grouped by the menu that contains the event. */
export const formatEvents = (): string =>
	[
		'Under **Trigger On**:',
		linesOfEvents(COMMON_EVENTS),
		'Under **Options → More Events**:',
		linesOfEvents(MORE_EVENTS),
	].join('\n\n');
