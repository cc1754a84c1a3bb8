import { z } from 'zod/v4';

/**
 * Validates a value from JSON or from the command line against a schema.
 *
 * @param name label for the value in the error message
 * @throws {TypeError} listing all validation errors
 */
export function parseAs<Output>(schema: z.ZodType<Output>, value: unknown, name: string): Output {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw new TypeError(`${name}: ${z.prettifyError(result.error)}`);
}

/** Returns undefined if a text isn't JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

declare global {
	interface JSON {
		/**
		 * Creates a value that `JSON.stringify` writes as the given JSON. TypeScript doesn't know this function
		 * yet.
		 */
		rawJSON(text: string): unknown;
	}
}

/** Parses JSON like `parseJson`, but keeps numbers as they're written, e.g. 761591733749525123 or 1.0. */
export function parseVerbatim(text: string): unknown {
	const keepNumber = (_key: string, value: unknown, context?: { source: string }): unknown => {
		const isChanged = typeof value === 'number' && String(value) !== context?.source;
		return isChanged ? JSON.rawJSON(context?.source ?? '') : value;
	};
	try {
		return JSON.parse(text, keepNumber);
	} catch {
		return undefined;
	}
}
