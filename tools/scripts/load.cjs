/**
 * Loads the package like n8n, and prints the names of its nodes and credentials and the modules that
 * its files require, as JSON. Plain JavaScript, because the script must run on the oldest Node.js in
 * package.json. Usage: node tools/scripts/load.cjs FOLDER
 */
const Module = require('node:module');
const { basename, resolve, sep } = require('node:path');

const folder = resolve(process.argv[2]);
const required = new Set();
const load = Module._load;
Module._load = function (request, parent, ...rest) {
	const path = parent?.filename ?? '';
	const isOurs = path.startsWith(folder + sep) && !path.includes('node_modules', folder.length);
	if (isOurs && !/^[./]/.test(request)) required.add(request);
	return load.call(this, request, parent, ...rest);
};

const { nodes, credentials } = require(resolve(folder, 'package.json')).n8n;
const names = [...nodes, ...credentials].map((file) => {
	const type = new (require(resolve(folder, file))[basename(file).split('.')[0]])();
	return type.description?.name ?? type.name;
});
console.log(JSON.stringify({ node: process.version, names, required: [...required] }));
