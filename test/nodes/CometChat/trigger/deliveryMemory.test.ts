import { DeliveryMemory } from '../../../../nodes/CometChat/trigger/deliveryMemory';

const keyOf = (number: number) => number.toString(16).padStart(16, '0');

const NOW = 1_760_000_000;

function memoryWith(count: number, lifetime = 100): DeliveryMemory {
	const memory = new DeliveryMemory();
	for (let number = 0; number < count; number++) memory.add(keyOf(number), NOW + lifetime, NOW);
	return memory;
}

const countIn = (memory: DeliveryMemory, most: number, now = NOW) =>
	Array.from({ length: most }, (_, number) => memory.has(keyOf(number), now)).filter(Boolean)
		.length;

test('knows what was added, until it expires', () => {
	const memory = memoryWith(1);
	expect(memory.has(keyOf(0), NOW)).toBe(true);
	expect(memory.has(keyOf(0), NOW + 99)).toBe(true);
	expect(memory.has(keyOf(0), NOW + 100)).toBe(false);
	expect(memory.has(keyOf(1), NOW)).toBe(false);
});

test('knows the last ten thousand, give or take a tenth', () => {
	const memory = memoryWith(50_000);
	const count = countIn(memory, 50_000);
	expect(count).toBeGreaterThanOrEqual(9_000);
	expect(count).toBeLessThanOrEqual(10_000);
	expect(memory.has(keyOf(49_999), NOW)).toBe(true);
	expect(memory.has(keyOf(41_000), NOW)).toBe(true);
	expect(memory.has(keyOf(30_000), NOW)).toBe(false);
});

test('forgets what has expired before it forgets anything else', () => {
	const memory = memoryWith(5_000, 10);
	for (let number = 5_000; number < 5_500; number++) memory.add(keyOf(number), NOW + 9_999, NOW);
	for (let number = 10_000; number < 18_000; number++) {
		memory.add(keyOf(number), NOW + 9_999, NOW + 20);
	}
	const kept = [5_000, 5_499, 10_000, 17_999];
	expect(kept.filter((number) => !memory.has(keyOf(number), NOW + 20))).toEqual([]);
});

test('what it wrote, another one reads', () => {
	const text = memoryWith(300).write(NOW);
	const another = new DeliveryMemory();
	another.read(text, NOW);
	expect(countIn(another, 300)).toBe(300);
	expect(countIn(another, 300, NOW + 100)).toBe(0);
	expect(another.write(NOW)).toBe(text);
});

test('writes the latest thousand, and nothing that has expired', () => {
	const memory = memoryWith(1_500);
	memory.add('f'.repeat(16), NOW + 5, NOW);
	expect(memory.write(NOW).split(' ')).toHaveLength(1_000);
	const another = new DeliveryMemory();
	another.read(memory.write(NOW), NOW);
	expect(another.has(keyOf(1_499), NOW)).toBe(true);
	expect(another.has(keyOf(0), NOW)).toBe(false);
	expect(memory.write(NOW + 5)).not.toContain('ffff');
	expect(memory.write(NOW + 100)).toBe('');
});

test('adds what it reads to what it knows', () => {
	const memory = memoryWith(2);
	memory.read(`${'a'.repeat(16)}:${(NOW + 50).toString(36)}`, NOW);
	expect(memory.has('a'.repeat(16), NOW)).toBe(true);
	expect(countIn(memory, 2)).toBe(2);
	expect(memory.write(NOW).split(' ')).toHaveLength(3);
});

test('does not take a shorter time from elsewhere', () => {
	const memory = memoryWith(1, 100);
	memory.read(`${keyOf(0)}:${(NOW + 5).toString(36)}`, NOW);
	expect(memory.has(keyOf(0), NOW + 50)).toBe(true);
});

test.each([undefined, null, 5, {}, [], 'x', 'x y', ':', `${keyOf(1)}:`, `${keyOf(1)}:!`, keyOf(1)])(
	'what is no list of entries adds nothing: %j',
	(saved) => {
		const memory = memoryWith(1);
		memory.read(saved, NOW);
		expect(memory.write(NOW).split(' ')).toHaveLength(1);
	},
);
