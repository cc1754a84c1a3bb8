import fc from 'fast-check';
import { types } from 'node:util';

/** Random inputs are the same ones in every run; COMETCHAT_SEED draws others. */
fc.configureGlobal({ seed: Number(process.env.COMETCHAT_SEED ?? 20261122) });

/** What n8n's engine makes, which has globals of its own (see loadedByNode.cjs), is of the same types here. */
const IS_ONE: Array<[type: object, isOne: (value: unknown) => boolean]> = [
	[Error, types.isNativeError],
	[RangeError, (value) => types.isNativeError(value) && value.name === 'RangeError'],
	[Date, types.isDate],
	[Map, types.isMap],
	[Set, types.isSet],
];
for (const [type, isOne] of IS_ONE) {
	Object.defineProperty(type, Symbol.hasInstance, {
		value(this: unknown, value: unknown): boolean {
			const isHere = Function.prototype[Symbol.hasInstance].call(this, value);
			return isHere || (this === type && isOne(value));
		},
	});
}
