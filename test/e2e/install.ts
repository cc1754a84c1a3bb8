import { installAll } from './lib/install';

// Jest's global setup installs the same. CI installs while other tests run
void installAll((line) => process.stderr.write(`${line}\n`));
