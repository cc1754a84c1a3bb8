import { program } from './program';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.on(signal, () => {
		if (!stop.signal.aborted) console.log('\nStopping and cleaning up …');
		stop.abort();
	});
}
// The node must connect to the recorder directly, without an HTTP proxy
process.env.NO_PROXY = [process.env.NO_PROXY, '127.0.0.1'].filter(Boolean).join(',');

const { argv, env } = process;
void program({ args: argv.slice(2), env, signal: stop.signal, print: console.log }).then(
	(code) => (process.exitCode = code),
);
