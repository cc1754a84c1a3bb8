import type { IDataObject } from 'n8n-workflow';

import { formatNumber, formatList } from '../helpers/formatText';
import { stringifyJson } from '../helpers/json';
import { isFieldNotOption } from '../request/fieldTree';
import type { Operation } from '../types';

/** Maximum characters of a tool's list: about 12,000 tokens, or 120 messages if 'Output' is 'Simplified'. */
const MAX_CHARACTERS = 50_000;

/** Limits the list that a tool returns to a length that a model can read. */
export class ToolListCharacterLimit {
	private rows = 0;

	private characters = 0;

	/** Counts a row. Returns true if the list still fits with this row. The first row always fits. */
	tryCountRow(row: IDataObject): boolean {
		this.characters += stringifyJson(row)?.length ?? 0;
		const isTaken = this.rows === 0 || this.characters <= MAX_CHARACTERS;
		if (isTaken) this.rows++;
		return isTaken;
	}

	/** Returns the hint for the model. The hint says where and why the list ends, and which filters show other rows. */
	createHintText({ fields }: Operation): string {
		const { options = [] } = fields.find(({ name }) => name === 'filters') ?? {};
		const labels = options.filter(isFieldNotOption).map(({ displayName }) => displayName);
		const narrow =
			labels.length > 0
				? ` To see other rows, use a filter: ${formatList(labels)}.`
				: ' The list has no filters.';
		return `There are more rows. The list ends after ${formatNumber(this.rows)} ${this.rows === 1 ? 'row' : 'rows'}, because a tool returns at most ${formatNumber(MAX_CHARACTERS)} characters.${narrow}`;
	}
}
