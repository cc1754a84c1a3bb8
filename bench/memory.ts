import { readFileSync, writeFileSync } from 'node:fs';

const MB = 1024 * 1024;

/** Memory of this process right now (resident set), in MB. */
export function currentMb(): number {
	return process.memoryUsage().rss / MB;
}

/**
 * Forgets the peak so far, so that loading a program does not hide what its work takes. Only Linux
 * can; elsewhere the peak is that of the whole life of the process.
 */
export function resetPeak(): void {
	try {
		writeFileSync('/proc/self/clear_refs', '5');
	} catch {
		// Not Linux, or not allowed: peakMb says what there is
	}
}

/** The most memory that this process had (resident set), in MB. */
export function peakMb(): number {
	try {
		const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
		if (kilobytes !== undefined) return Number(kilobytes) / 1024;
	} catch {
		// Not Linux
	}
	return process.resourceUsage().maxRSS / 1024;
}
