import { DEFAULT_MAX_DOWNLOAD_SIZE_MB } from '../helpers/limits';
import { formatValueForError } from '../helpers/formatText';
import { InputError } from '../errors/describedErrors';
import type { ValidatingConverter } from '../types';
import { createTextField, createTextsField } from './commonFields';
import { splitAtCommas } from './fieldChecks';
import { createOptionsCollection } from './options';

/**
 * Converts a host or an http(s) URL to the format of `URL.host`, e.g. "files.example.com:8443".
 *
 * @throws InputError if the text contains no valid host, or contains a username or a wildcard
 */
function toHost(text: string, label: string): string {
	const url = /^https?:\/\//i.test(text) ? text : `https://${text}`;
	const { host, username } = URL.canParse(url) ? new URL(url) : { host: '', username: '' };
	if (host !== '' && username === '' && !host.includes('*')) return host;
	throw new InputError(
		label,
		`must be a host, but it is ${formatValueForError(text)}`,
		'Enter its name, e.g. files.example.com. A host below it needs an entry of its own.',
	);
}

const checkHosts: ValidatingConverter = (value, label) =>
	splitAtCommas(value).map((text) => toHost(text, label));

/** "Options" collection for downloads. */
export const downloadOptionsField = createOptionsCollection('Size limit, hosts and output', [
	{
		displayName: 'Largest File (MB)',
		name: 'maxSize',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100_000 },
		default: DEFAULT_MAX_DOWNLOAD_SIZE_MB,
		description: 'Larger files are not downloaded',
	},
	{
		...createTextsField(
			'Other Hosts',
			'hosts',
			'files.example.com',
			"Hosts that may serve files, beside CometChat's media hosts",
		),
		check: checkHosts,
	},
	{
		...createTextField(
			'Put Output in Field',
			'binaryProperty',
			'data',
			'Output field for the file',
		),
		default: 'data',
	},
]);
