import { simulate } from './limiter.simulation';
const MIN = 60_000;
const avg = (v: number[]) => v.reduce((a, b) => a + b, 0) / v.length;
(async () => {
	for (const told of ['all', 'resetWhenRefused', 'retryAfter', 'nothing'] as const)
		for (const [count, requests, ms] of [[2000, 500, MIN],[1000,500,MIN],[2000,500,1000],[1665,333,1000],[75,30,MIN]] as const) {
			const line: string[] = [];
			for (const latencyMs of [20, 80, 300]) {
				if (count > 10000 && latencyMs!==20) continue;
				const os = [];
				for (let seed = 1; seed <= 3; seed++) os.push((await simulate({ runs: [[{ limit: 'a', count, window: { requests, ms } }]], told, latencyMs, seed })).a);
				line.push(`${latencyMs}ms t=${avg(os.map(o=>o.time)).toFixed(3)}/${Math.max(...os.map(o=>o.time)).toFixed(3)} r=${(100*avg(os.map(o=>o.refused/o.passed))).toFixed(2)}% f=${os.reduce((a,o)=>a+o.failed,0)}`);
			}
			console.log(told, count, requests, ms, line.join(' | '));
		}
	for (const told of ['all', 'retryAfter', 'nothing'] as const) for (const seed of [1,2,3]) {
		const alone = (await simulate({runs:[[{limit:'get',count:1500,window:{requests:20000,ms:MIN}}]],told,latencyMs:80,seed})).get.elapsedMs;
		const o = await simulate({runs:[[{limit:'get',count:1500,window:{requests:20000,ms:MIN}},{limit:'send:a',count:75,window:{requests:30,ms:MIN}},{limit:'send:b',count:20,window:{requests:30,ms:MIN}}]],told,latencyMs:80,seed});
		console.log(told, 'gets', (o.get.elapsedMs/alone).toFixed(2), 'sends a', o['send:a'].time.toFixed(3), o['send:a'].refused, 'b ms', o['send:b'].elapsedMs.toFixed(0), 'alone', alone.toFixed(0));
	}
})();
