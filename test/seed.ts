import fc from 'fast-check';
import { types } from 'node:util';
import { runInThisContext } from 'node:vm';

/** Fixed seed, so every run draws the same random cases. COMETCHAT_SEED draws others, and more. */
fc.configureGlobal({ seed: Number(process.env.COMETCHAT_SEED ?? 20261122) });

// fast-check, which has its own globals, prints objects with another `toString` as "[object Object]"
Object.prototype.toString = runInThisContext('Object.prototype.toString') as () => string;

const isNativeError = (value: unknown): value is Error =>
	Object.prototype.toString.call(value) === '[object Error]';

/** Type checks that recognize values from n8n's engine, which has its own globals. See loadedByNode.cjs. */
const TYPE_CHECKS: Array<[type: object, hasType: (value: unknown) => boolean]> = [
	[Error, isNativeError],
	[RangeError, (value) => isNativeError(value) && value.name === 'RangeError'],
	[Date, types.isDate],
	[Map, types.isMap],
	[Set, types.isSet],
];
// Makes `instanceof` and jest's matchers accept values from n8n's engine
for (const [type, hasType] of TYPE_CHECKS) {
	Object.defineProperty(type, Symbol.hasInstance, {
		value(this: unknown, value: unknown): boolean {
			const isInstance = Function.prototype[Symbol.hasInstance].call(this, value);
			return isInstance || (this === type && hasType(value));
		},
	});
}
