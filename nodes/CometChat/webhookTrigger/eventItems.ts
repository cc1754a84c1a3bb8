import type { IDataObject } from 'n8n-workflow';

import { timestampToIso } from '../helpers/timestamps';
import { listSelectedFieldsWithId } from '../output/columns';
import { createResultConverter } from '../output/shape';
import { messageFetchedForReactionEntity } from '../resources/message/entity';
import { realClock } from '../helpers/clock';
import { asObjectOrEmpty } from '../helpers/json';
import type { ParameterValues } from '../types';
import type { Delivery } from './delivery';
import { ALL_EVENTS_VALUE, EVENTS, isReactionEvent, type EventDefinition } from './events';
import type { TriggerParameters } from './parameters';
import type { EventAllowedApartFromWatch } from './selection';

/** The message that a reaction belongs to, or the reason why the message is missing. */
export interface FetchedReactedMessageOrError {
	message?: IDataObject;
	messageError?: string;
}

type ItemRowType = EventDefinition['entity'];

/** Returns the entity with all columns that 'Selected Fields' can return. */
const withAllColumns = ({
	columns,
	columnsShownIfFilled,
	selectedOnlyColumns,
	unwrap,
}: ItemRowType): ItemRowType => ({
	columns: { ...columnsShownIfFilled, ...selectedOnlyColumns, ...columns },
	unwrap,
});

/** Parameters that determine an item's fields. */
export type ItemParameters = Pick<TriggerParameters, 'output' | 'fields' | 'includeActions'>;

/**
 * Creates the function that reads an entity's columns. With 'Selected Fields', it also reads `columnsShownIfFilled` and
 * `selectedOnlyColumns`, because the user can select any of them.
 */
const createColumnsReader = (entity: ItemRowType, { output, includeActions }: ItemParameters) =>
	createResultConverter(
		{ output: 'simplified', options: { includeActions } },
		output === 'fields' ? withAllColumns(entity) : entity,
	);

/** Builds the item columns for a fetched message, e.g. `messageText`. */
function buildMessageColumns(
	{ message, messageError }: FetchedReactedMessageOrError,
	parameters: ItemParameters,
): IDataObject {
	const columns = createColumnsReader(
		messageFetchedForReactionEntity,
		parameters,
	)({ received: message ?? {} });
	const named = Object.entries(columns)
		.filter(([name]) => name !== messageFetchedForReactionEntity.id)
		.map(([name, value]) => [`message${name.charAt(0).toUpperCase()}${name.slice(1)}`, value]);
	return { ...(Object.fromEntries(named) as IDataObject), messageError: messageError ?? null };
}

/**
 * Builds a simplified item. The entity's first two columns come before `by`, because people map these
 * columns most often.
 *
 * @param columns columns of the entity that the event is about, e.g. a message
 * @param omitsActor true if `by` and `byName` are left out
 */
function arrangeColumns(
	{ event, at, by, byName }: { event: string; at: unknown; by: unknown; byName: unknown },
	columns: IDataObject,
	omitsActor = false,
): IDataObject {
	const entries = Object.entries(columns);
	const item = {
		event,
		at,
		...Object.fromEntries(entries.slice(0, 2)),
		...(omitsActor ? {} : { by, byName }),
		...Object.fromEntries(entries.slice(2)),
	};
	return item as IDataObject;
}

/** Placeholders for the item columns that don't come from the entity. Only the column names are used. */
const EMPTY_EVENT_PARTS = { event: '', at: '', by: '', byName: '' };

/** Lists the columns that an event's simplified item always has. */
export const listSimplifiedColumnNames = ({ entity, omitsActor }: EventDefinition): string[] =>
	Object.keys(arrangeColumns(EMPTY_EVENT_PARTS, entity.columns, omitsActor));

/** Lists the columns of an event's items, including the columns of a fetched message. */
function listItemColumnNames(
	{ trigger, entity, omitsActor }: EventDefinition,
	isMessageFetched: boolean,
	parameters: ItemParameters,
): string[] {
	const columns = createColumnsReader(entity, parameters)({ received: {} });
	const hasMessage = isMessageFetched && isReactionEvent(trigger);
	return Object.keys({
		...arrangeColumns(EMPTY_EVENT_PARTS, columns, omitsActor),
		...(hasMessage ? buildMessageColumns({}, parameters) : {}),
	});
}

/** Lists the columns that 'Fields' offers for the chosen events, starting with the columns of 'Simplified'. */
export function listSelectableEventColumnNames({ events, options }: ParameterValues): string[] {
	const { moreEvents, fetchMessage, includeActions } = asObjectOrEmpty(options);
	const chosen = new Set([events ?? [], moreEvents ?? []].flat());
	const known = EVENTS.filter(({ trigger }) => chosen.has(trigger));
	const types = chosen.has(ALL_EVENTS_VALUE) || known.length === 0 ? EVENTS : known;
	const listAll = (output: string) =>
		types.flatMap((type) =>
			listItemColumnNames(type, fetchMessage === true, {
				...{ output, fields: [], includeActions: includeActions === true },
			}),
		);
	const shortcuts = types.flatMap(({ entity }) => Object.keys(entity.fieldShortcuts ?? {}));
	return [...listAll('simplified'), ...listAll('fields'), ...shortcuts];
}

/**
 * Creates the items that start the workflow, one per entity:
 *
 * - 'Simplified' returns the columns.
 * - 'Selected Fields' returns the entity's ID and the selected fields. A selected field can be a column, a
 *   field of the delivery as 'Raw' shows it, or a field of the entity, in this order of precedence.
 * - 'Raw' returns the whole delivery as a single item.
 *
 * An event of unknown shape becomes a single item with the whole delivery, or with only the selected fields.
 *
 * @param fetched the message that a reaction belongs to. Undefined if items should not include the message.
 */
export function createItemJsonList(
	{ trigger, envelope }: Delivery,
	{ type, entities }: EventAllowedApartFromWatch,
	fetched: FetchedReactedMessageOrError | undefined,
	parameters: ItemParameters,
): IDataObject[] {
	const { output, fields } = parameters;
	const select = createResultConverter(
		{ output, fields: type ? listSelectedFieldsWithId(fields, type.entity) : fields },
		{ columns: {}, fieldShortcuts: type?.entity.fieldShortcuts },
	);
	const whole = { ...envelope, ...fetched };
	if (output === 'raw') return [whole];
	if (type === undefined) return [output === 'fields' ? select({ received: whole }) : whole];
	const readColumns = createColumnsReader(type.entity, parameters);
	const now = Math.floor(realClock.systemTime() / 1000);
	return entities.map(({ entity, by: { uid: by = null, name: byName = null }, at }) => {
		const about = { event: trigger, at: timestampToIso(at) ?? timestampToIso(now), by, byName };
		const columns = {
			...arrangeColumns(about, readColumns({ received: entity }), type.omitsActor),
			...(fetched ? buildMessageColumns(fetched, parameters) : {}),
		};
		const row = { ...whole, ...columns };
		return output === 'fields' ? select({ received: row, fallback: entity }) : columns;
	});
}
