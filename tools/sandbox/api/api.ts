import type { Contract, ContractRequest, QueryValues } from '../contract';
import { refuse, Refusal, type ApiResponse } from '../errors';
import type { Settings } from '../settings';
import type { Store } from '../store/store';
import type { JsonObject } from '../types';
import type { Views } from '../views';
import type { Call, Handlers, PathParameters } from './call';
import { botHandlers } from './bots';
import { conversationHandlers } from './conversations';
import { groupHandlers } from './groups';
import { memberHandlers } from './members';
import { messageHandlers } from './messages';
import { moderationHandlers } from './moderation';
import { reactionHandlers } from './reactions';
import { userHandlers } from './users';

/** Credentials that the API accepts. */
export interface Access {
	apiKey: string;
	/** A second API key with the fullAccess scope, because an app can have several. */
	secondKey: string;
	/** An API key without the fullAccess scope, which the service refuses with 403. */
	authOnlyKey: string;
	appId: string;
}

/** True if an API key has the fullAccess scope. */
export const isFullAccessKey = ({ apiKey, secondKey }: Access, key: unknown): boolean =>
	key === apiKey || key === secondKey;

/** An API request, independent of its HTTP connection. */
export interface ApiCall extends ContractRequest {
	/** ID of the contract operation, or undefined if no operation matches the method and path. */
	operationId?: string;
	/** Percent-decoded path parameters. */
	params: PathParameters;
	/** Contents of the files in a form, by their stored URL. Undefined for a request that isn't a form. */
	contents?: Map<string, Buffer>;
}

export interface Outcome {
	response: ApiResponse;
	/** Contract violations found in the request. */
	violations: string[];
	/** Names of parts that the service accepts, but the node would send differently or not at all. */
	notes?: string[];
}

/** Handlers for the contract's operations, by operation ID. */
export const HANDLERS: Partial<Handlers> = {
	...botHandlers,
	...conversationHandlers,
	...groupHandlers,
	...memberHandlers,
	...moderationHandlers,
	...messageHandlers,
	...reactionHandlers,
	...userHandlers,
};

/** Runs the chat service's operations on a store, without HTTP. */
export class Api {
	constructor(
		private readonly contract: Contract,
		private readonly store: Store,
		private readonly views: Views,
		private readonly access: Access,
		private readonly settings: () => Settings,
	) {}

	/** Handles a request. First checks the app ID, the path, the API key, and the contract, in that order. */
	handle(request: ApiCall): Outcome {
		const { operationId, params, path, headers } = request;
		const [prefix = '', appId = this.access.appId] = /^\/app\/([^/]*)/.exec(path) ?? [];
		if (appId !== this.access.appId) {
			return { response: refuse('AUTH_ERR_INVALID_APPID'), violations: [] };
		}
		if (operationId === undefined) {
			return {
				response: refuse('ERR_API_NOT_FOUND'),
				violations: ['is not in the contract'],
			};
		}
		const {
			errors = {},
			notes,
			query,
			body,
		} = this.contract.validateRequest(operationId, {
			...request,
			path: path.slice(prefix.length),
		});
		const violations = Object.entries(errors).map(
			([field, texts]) => `${field}: ${texts.join(', ')}`,
		);
		// The service stores UIDs in lowercase
		const uid = headers.onbehalfof?.toString().toLowerCase();
		const response =
			this.keyRefusal(headers.apikey) ??
			(violations.length > 0 ? refuse('ERR_BAD_REQUEST', '', errors) : undefined) ??
			(request.contents && this.settings().uploads === 'refuse'
				? refuse('ERR_EMPTY_MESSAGE_FILE')
				: undefined) ??
			this.perform(operationId, { params, query, body, uid });
		return { response, violations, notes };
	}

	private keyRefusal(key: string | string[] | undefined): ApiResponse | undefined {
		if (!key) return refuse('AUTH_ERR_EMPTY_APIKEY');
		if (key === this.access.authOnlyKey) return refuse('AUTH_ERR_NO_ACCESS', key);
		return isFullAccessKey(this.access, key)
			? undefined
			: refuse('AUTH_ERR_APIKEY_NOT_FOUND', String(key));
	}

	private perform(
		operationId: string,
		call: Omit<Call, 'store' | 'views' | 'settings'>,
	): ApiResponse {
		const { uid } = call;
		if (uid !== undefined && !this.store.people.has(uid)) return refuse('ERR_UID_NOT_FOUND', uid);
		const { store, views } = this;
		const handler = HANDLERS[operationId];
		if (!handler) throw new Error(`tools/sandbox/api/ has no handler for ${operationId}`);
		try {
			const settings = this.settings();
			const query = settings.filterCommas === 'literal' ? joinLists(call.query) : call.query;
			return rewriteEmptyPage(handler({ ...call, query, store, views, settings }), settings);
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			const isTaken = error.message.endsWith('_ALREADY_EXISTS');
			return isTaken ? { ...error.response, status: this.settings().takenStatus } : error.response;
		}
	}
}

/** Turns each list of values in a query into a single value, which contains commas. */
const joinLists = (query: QueryValues): QueryValues =>
	Object.fromEntries(
		Object.entries(query).map(([name, value]) =>
			Array.isArray(value) ? [name, [value.join(',')]] : [name, value],
		),
	);

/** Values of `data` for an empty list, by setting. */
const EMPTY_PAGE = { list: [], null: null, object: {} };

/** Replaces an empty list in a response by the value in the settings. */
function rewriteEmptyPage(response: ApiResponse, { emptyPage }: Settings): ApiResponse {
	const { data, ...rest } = Object(response.body) as JsonObject;
	if (!Array.isArray(data) || data.length > 0) return response;
	return { ...response, body: { data: EMPTY_PAGE[emptyPage], ...rest } };
}
