/**
 * Loads the package as n8n does, and writes as JSON what its nodes and credentials are called and
 * which modules its files asked for. Plain JavaScript: it has to run on the oldest Node.js that
 * package.json names. Usage: node tools/scripts/load.cjs FOLDER
 */
const Module = require('node:module');
const { basename, resolve, sep } = require('node:path');

const folder = resolve(process.argv[2]);
const asked = new Set();
const load = Module._load;
Module._load = function (request, parent, ...rest) {
	const path = parent?.filename ?? '';
	const isOurs = path.startsWith(folder + sep) && !path.includes('node_modules', folder.length);
	if (isOurs && !/^[./]/.test(request)) asked.add(request);
	return load.call(this, request, parent, ...rest);
};

const { nodes, credentials } = require(resolve(folder, 'package.json')).n8n;
const names = [...nodes, ...credentials].map((file) => {
	const type = new (require(resolve(folder, file))[basename(file).split('.')[0]])();
	return type.description?.name ?? type.name;
});
console.log(JSON.stringify({ node: process.version, names, asked: [...asked] }));
