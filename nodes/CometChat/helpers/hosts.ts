/** Patterns for hosts that the internet usually can't reach, in the notation of `URL.hostname`. */
const HOST_PATTERNS = {
	/** Loopback addresses, which only this machine can reach */
	loopback: /^(?:127\.[\d.]+|\[::1\]|localhost)$/,
	/** Private IPv4 and IPv6 addresses, names without a dot, and Docker's name for the host machine */
	private:
		/^(?:(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+|\[f[cd][\da-f]{2}:.*\]|[^.:]*|host\.docker\.internal)$/,
	/** Addresses and names that usually, but not always, belong to a private network */
	reserved:
		/\.(?:local|localhost|internal|lan|home\.arpa)$|^0\.|^169\.254\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^\[(?:::|fe80:)/,
};

/** True if a host name certainly means this machine. */
export const isLoopback = (hostname: string): boolean => HOST_PATTERNS.loopback.test(hostname);

/** True if a host is this machine or certainly in a private network, so that a request to the host needs no TLS. */
export const isCertainlyPrivateHost = (hostname: string): boolean =>
	isLoopback(hostname) || HOST_PATTERNS.private.test(hostname);

/** True if the internet probably can't reach a host, judging by the host's name. */
export const isUnreachableFromInternet = (hostname: string): boolean =>
	isCertainlyPrivateHost(hostname) || HOST_PATTERNS.reserved.test(hostname);
