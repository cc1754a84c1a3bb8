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
