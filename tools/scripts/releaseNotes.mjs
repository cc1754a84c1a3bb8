/**
 * Prints a version's section of the changelog. Usage: node tools/scripts/releaseNotes.mjs v1.2.3 [folder]
 *
 * Fails if the package in the folder isn't ready to be published as that version: the version in package.json
 * differs, the changelog has no text for the version, or a published text says that the package isn't published.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [tag = '', folder = '.'] = process.argv.slice(2);
const version = tag.replace(/^v/, '');

const read = (file) => readFileSync(join(folder, file), 'utf8');

/** Sentences that are wrong once the package is on npm. */
const UNPUBLISHED =
	/.*(?:not on npm|until the package is on npm|once it['’]s published|not released yet).*/gi;

/** Returns the text below a version's heading. The heading may have brackets and a date. */
function readSection(changelog) {
	const sections = changelog.split(/^## /m).slice(1);
	const section = sections.find((each) => /^\[?([^\]\s]+)/.exec(each)?.[1] === version) ?? '';
	return section.replace(/^.*\n/, '').trim();
}

const notes = readSection(read('CHANGELOG.md'));
const problems = ['README.md', 'CHANGELOG.md'].flatMap((file) =>
	(read(file).match(UNPUBLISHED) ?? []).map((line) => `${file}: ${line}`),
);
const { version: packaged } = JSON.parse(read('package.json'));
if (packaged !== version) problems.push(`package.json has the version ${packaged}`);
if (notes === '') problems.push(`CHANGELOG.md has no text below the heading "## ${version}"`);

if (problems.length > 0) {
	console.error([`${tag} can't be published:`, ...problems].join('\n'));
	process.exitCode = 1;
} else {
	console.log(notes);
}
