/**
 * Returns the number of random cases that a test draws: `nightly` if COMETCHAT_SEED is set, as at night, and
 * otherwise `eachChange`.
 */
export const countCases = ({
	eachChange,
	nightly,
}: Record<'eachChange' | 'nightly', number>): number =>
	process.env.COMETCHAT_SEED === undefined ? eachChange : nightly;
