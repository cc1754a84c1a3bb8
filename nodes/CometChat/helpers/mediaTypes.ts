/** File extensions, keyed by media type. Each type's usual extension comes first. */
const EXTENSIONS_BY_TYPE: Record<string, string[]> = {
	'application/msword': ['doc'],
	'application/pdf': ['pdf'],
	'application/vnd.ms-excel': ['xls'],
	'application/vnd.ms-powerpoint': ['ppt'],
	'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
	'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
	'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
	// All files with one of these extensions, e.g. epub, are zip archives
	'application/zip': ['zip', 'apk', 'epub', 'jar', 'odp', 'ods', 'odt'],
	'audio/aac': ['aac'],
	'audio/amr': ['amr'],
	'audio/flac': ['flac'],
	'audio/mp4': ['m4a'],
	'audio/mpeg': ['mp3'],
	'audio/ogg': ['ogg', 'oga', 'opus'],
	'audio/wav': ['wav'],
	'audio/webm': ['weba'],
	'audio/x-wav': ['wav'],
	'image/avif': ['avif'],
	'image/bmp': ['bmp'],
	'image/gif': ['gif'],
	'image/heic': ['heic', 'heif'],
	'image/jpeg': ['jpg', 'jpeg', 'jfif'],
	'image/png': ['png'],
	'image/svg+xml': ['svg'],
	'image/tiff': ['tif', 'tiff'],
	'image/webp': ['webp'],
	'video/3gpp': ['3gp'],
	'video/mp4': ['mp4', 'm4v'],
	'video/mpeg': ['mpg', 'mpeg'],
	'video/ogg': ['ogv'],
	'video/quicktime': ['mov'],
	'video/webm': ['webm'],
	'video/x-matroska': ['mkv'],
	'video/x-msvideo': ['avi'],
};

const TYPES_BY_EXTENSION = new Map(
	Object.entries(EXTENSIONS_BY_TYPE).flatMap(([type, extensions]) =>
		extensions.map((extension) => [extension, type] as const),
	),
);

/** Returns a media type in lower case, without parameters. */
export const normalizeMediaType = (type: string): string =>
	type.split(';')[0]?.trim().toLowerCase() ?? '';

/** Returns a name's extension without the dot, in lower case, or an empty string. */
const readExtension = (name: string): string =>
	/\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Appends the usual extension of a file's media type to the file's name, unless the name has a known extension. */
export function addFileExtensionUnlessKnown(name: string, mimeType: string): string {
	const [extension] = EXTENSIONS_BY_TYPE[normalizeMediaType(mimeType)] ?? [];
	const isKnown = TYPES_BY_EXTENSION.has(readExtension(name));
	return extension === undefined || isKnown ? name : `${name}.${extension}`;
}

/** Kinds of files that CometChat's apps display differently. */
export type MediaKind = 'audio' | 'file' | 'image' | 'video';

/** Determines a file's display kind from its media type or, if the type is missing, from its name's extension. */
export function getMediaKind(mimeType: string, name = ''): MediaKind {
	const type = normalizeMediaType(mimeType) || (TYPES_BY_EXTENSION.get(readExtension(name)) ?? '');
	const [kind] = type.split('/');
	return kind === 'audio' || kind === 'image' || kind === 'video' ? kind : 'file';
}
