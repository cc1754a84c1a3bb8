import type { Measurement } from '../../bench/job';

/** A measurement of which only some figures matter. */
export function measured(figures: Partial<Measurement>): Measurement {
	return {
		ms: 0,
		cpuMs: 0,
		baselineMb: 0,
		peakMb: 0,
		connections: 0,
		peakConnections: 0,
		peakInFlight: 0,
		requests: 0,
		refused: 0,
		...figures,
	};
}
