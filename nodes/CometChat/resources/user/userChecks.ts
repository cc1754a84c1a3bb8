import { InputError } from '../../errors/inputError';
import type { Values } from '../../description/types';
import { asObject } from '../../transport/json';

/** Refuses to clear the metadata and to set a part of the metadata at the same time. */
export function checkClearedMetadata({ updateFields }: Values): void {
	const fields = asObject(updateFields);
	const { unset, email, phone, metadata } = fields;
	// An empty field is cleared too
	const isEmptied = 'metadata' in fields && metadata === undefined;
	const isCleared = isEmptied || [unset].flat().includes('metadata');
	const label = metadata !== undefined ? 'Metadata' : email !== undefined ? 'Email' : 'Phone';
	if (!isCleared || (metadata ?? email ?? phone) === undefined) return;
	throw new InputError(
		label,
		'would be cleared with the metadata',
		`Remove '${label}', or don't clear Metadata.`,
	);
}
