import type { Case, Contender } from './cases';
import type { Service } from './service';

/** Which of n8n's evaluators of expressions is used; `vm` is the default of a production n8n. */
export type ExpressionEngine = 'vm' | 'legacy';

/** What a child process is to do, given to it as JSON. */
export interface Job {
	service: Service;
	contender: Contender;
	run: Case;
	expressionEngine: ExpressionEngine;
	/** Requests that the floor has under way at once: as many as our node */
	inFlight: number;
	/** File to write a CPU profile of the measured part to */
	profile?: string;
}

/** What one run took. */
export interface Measurement {
	ms: number;
	/** Time on the CPU, of all threads of the process */
	cpuMs: number;
	/** Memory of the process (resident set) once everything is loaded and tried out once */
	baselineMb: number;
	/** The most memory while the work was done */
	peakMb: number;
	/** TCP connections that were opened for the work */
	connections: number;
	/** The most that were open at once */
	peakConnections: number;
	peakInFlight: number;
	requests: number;
	/** Requests that the rate limit refused */
	refused: number;
}
