import { z } from 'zod/v4';

/**
 * Checks a value from JSON or from the command line.
 *
 * @param name name of the value in the error
 * @throws {TypeError} with a line per problem
 */
export function parseAs<Output>(schema: z.ZodType<Output>, value: unknown, name: string): Output {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw new TypeError(`${name}: ${z.prettifyError(result.error)}`);
}
