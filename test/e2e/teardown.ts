export default function teardown(): void {
	globalThis.removeTarball?.();
}
