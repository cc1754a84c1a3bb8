import type { Contract } from '../sandbox/contract';
import { formatOutcome, isOk, readErrorCode, type Exchange } from './recorder';

/**
 * Lists the differences between a response and the contract, `tools/sandbox/openapi.yaml`. The descriptions
 * never include values from the response.
 *
 * @param refusal status and error code of the expected refusal, e.g. "404 ERR_BOT_NOT_FOUND". Default: a success
 */
export function findDeviations(contract: Contract, exchange: Exchange, refusal?: string): string[] {
	const { method, path, status, body } = exchange;
	const operationId = contract.operationIdOf(method, `/v3${path.split('?')[0]}`);
	if (!operationId) return [`unexpected path: ${method} is not in the contract`];
	const outcome = formatOutcome(exchange);
	if (refusal === undefined ? !isOk(exchange) : outcome !== refusal) {
		const part = readErrorCode(exchange) === 'ERR_API_NOT_FOUND' ? 'path' : 'status';
		return [`unexpected ${part}: ${outcome}, not ${refusal ?? 200}`];
	}
	return contract
		.validateResponse(operationId, status, body)
		.map((text) => `unexpected shape: ${text.trim().replace(/\/\d+(?=\/| )/g, '[]')}`);
}
