import { WaitingQueue } from '../../../../nodes/CometChat/transport/waitingQueue';

const entry = (order: number, sequence = order) => ({ order, sequence });

function drain(queue: WaitingQueue<{ order: number; sequence: number }>): number[] {
	const sequences: number[] = [];
	for (let next = queue.takeFirst(); next; next = queue.takeFirst()) sequences.push(next.sequence);
	return sequences;
}

test('the smallest order goes first, and who came first among equals', () => {
	const queue = new WaitingQueue();
	for (const [order, sequence] of [
		[2, 0],
		[1, 3],
		[2, 1],
		[0, 4],
		[1, 2],
	]) {
		queue.add(entry(order, sequence));
	}
	expect(drain(queue)).toEqual([4, 2, 3, 0, 1]);
	expect(queue.takeFirst()).toBeUndefined();
});

test('what comes back goes ahead of what has waited behind it, however much was taken out', () => {
	const queue = new WaitingQueue();
	for (let i = 0; i < 5_000; i++) queue.add(entry(i));
	for (let i = 0; i < 3_000; i++) expect(queue.takeFirst()?.order).toBe(i);
	queue.add(entry(7));
	expect(queue).toHaveLength(2_001);
	expect(queue.takeFirst()?.order).toBe(7);
	expect(queue.takeFirst()?.order).toBe(3_000);
});

test('those that are meant are taken out, the others stay in order', () => {
	const queue = new WaitingQueue();
	for (let i = 0; i < 10; i++) queue.add(entry(i));
	queue.takeFirst();
	expect(queue.takeAll(({ order }) => order % 2 === 0).map(({ order }) => order)).toEqual([
		2, 4, 6, 8,
	]);
	expect(drain(queue)).toEqual([1, 3, 5, 7, 9]);
});
