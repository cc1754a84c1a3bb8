import fc from 'fast-check';
import { types } from 'node:util';

/** Random inputs are the same ones in every run; COMETCHAT_SEED draws others. */
fc.configureGlobal({ seed: Number(process.env.COMETCHAT_SEED ?? 20261122) });

/** Errors of n8n's engine, which has globals of its own (see loadedByNode.cjs), are errors here too. */
for (const type of [Error, RangeError]) {
	Object.defineProperty(type, Symbol.hasInstance, {
		value(this: unknown, thing: unknown): boolean {
			const isOne = Function.prototype[Symbol.hasInstance].call(this, thing);
			const isNative = this === type && types.isNativeError(thing);
			return isOne || (isNative && (type === Error || thing.name === type.name));
		},
	});
}
