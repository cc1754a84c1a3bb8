import fc from 'fast-check';

/** Random inputs are the same ones in every run; COMETCHAT_SEED draws others. */
fc.configureGlobal({ seed: Number(process.env.COMETCHAT_SEED ?? 20261122) });
