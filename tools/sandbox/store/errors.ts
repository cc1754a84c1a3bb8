/** Thrown for a group, user, or message that the store doesn't contain. */
export class NotFound extends Error {
	readonly statusCode = 404;
}
