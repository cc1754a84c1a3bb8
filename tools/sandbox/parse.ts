import { z } from 'zod/v4';

/**
 * Checks a value that came as JSON or as an option.
 *
 * @param name how the error names the value
 * @throws {TypeError} with a line for each thing that is wrong
 */
export function parseAs<Output>(schema: z.ZodType<Output>, value: unknown, name: string): Output {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw new TypeError(`${name}: ${z.prettifyError(result.error)}`);
}
