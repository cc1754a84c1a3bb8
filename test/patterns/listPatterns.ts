import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../..');

/** A regular expression in the source. */
interface SourcePattern {
	/** File and line */
	place: string;
	pattern: RegExp;
}

/** Reads a literal such as `/a+/gi`. */
function readLiteral(literal: string): RegExp {
	const end = literal.lastIndexOf('/');
	return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

/** Returns the text of a string or a template. Each inserted value becomes "x". */
function readText(node: ts.Expression | undefined): string {
	if (node === undefined) return '';
	if (ts.isStringLiteralLike(node)) return node.text;
	if (ts.isTemplateExpression(node)) {
		return node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join('');
	}
	throw new Error(`Only strings and templates make patterns that are tested: ${node.getText()}`);
}

function readPattern(node: ts.Node): RegExp | undefined {
	if (ts.isRegularExpressionLiteral(node)) return readLiteral(node.text);
	const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
	if (!isCall || node.expression.getText() !== 'RegExp') return undefined;
	const [source, flags] = node.arguments ?? [];
	return new RegExp(readText(source), readText(flags));
}

function listInFile(path: string): SourcePattern[] {
	const text = readFileSync(join(ROOT, path), 'utf8');
	const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
	const found: SourcePattern[] = [];
	const visit = (node: ts.Node) => {
		const pattern = readPattern(node);
		const { line } = file.getLineAndCharacterOfPosition(node.getStart());
		if (pattern) found.push({ place: `${path}:${line + 1}`, pattern });
		ts.forEachChild(node, visit);
	};
	visit(file);
	return found;
}

/** Lists the regular expressions in the source of the nodes and credentials. */
export const listSourcePatterns = (): SourcePattern[] =>
	globSync('{nodes,credentials}/**/*.ts', { cwd: ROOT }).sort().flatMap(listInFile);
