import { InputError } from '../../errors/inputError';
import type { Values } from '../../description/types';
import { asObject } from '../../transport/json';

/** Rejects an update that clears the metadata and also sets part of the metadata. */
export function checkClearedMetadata({ updateFields }: Values): void {
	const fields = asObject(updateFields);
	const { unset, email, phone, metadata } = fields;
	// An empty 'Metadata' field also clears the metadata
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
