import ts from 'typescript';

import { changesOf } from './operators';

export interface Mutant {
	/** Path in the project, e.g. "dist/nodes/CometChat/transport/retry.js". */
	path: string;
	/** Counted from 1. */
	line: number;
	/** Counted from 0. */
	column: number;
	/** The line, without its indentation. */
	text: string;
	/** In characters of the file. */
	start: number;
	end: number;
	operator: string;
	before: string;
	after: string;
	/** How often it is drawn, beside the other mutants of its line and the other lines. */
	weight: number;
}

/** Texts of the panel: only a snapshot sees them, so they are seldom drawn. */
const SHOWN = ['displayName', 'description', 'placeholder', 'hint', 'action', 'documentationUrl'];

const WEIGHT_OF_SHOWN = 0.05;

function isRequire(node: ts.Node): boolean {
	return ts.isCallExpression(node) && node.expression.getText() === 'require';
}

/** Whether a change here would break all or nothing: the compiler's own, and names of symbols. */
function isFixed(node: ts.Node): boolean {
	const text = node.getText();
	return (
		isRequire(node) ||
		ts.isVoidExpression(node) ||
		text.startsWith('Symbol(') ||
		(ts.isExpressionStatement(node) &&
			(ts.isStringLiteral(node.expression) || text.startsWith('Object.defineProperty(exports'))) ||
		// Helpers, e.g. "var __importDefault = …"
		(ts.isVariableStatement(node) && text.startsWith('var __')) ||
		// "(0, retry_1.isRetryable)": only the first operand is the compiler's
		(ts.isNumericLiteral(node) &&
			ts.isBinaryExpression(node.parent) &&
			node.parent.operatorToken.kind === ts.SyntaxKind.CommaToken)
	);
}

/** Whether this statement only names what the module exports. */
function isExport(node: ts.Node): boolean {
	return (
		ts.isExpressionStatement(node) &&
		ts.isBinaryExpression(node.expression) &&
		node.expression.left.getText().startsWith('exports.')
	);
}

function isShown(node: ts.Node): boolean {
	if (ts.isSourceFile(node)) return false;
	const property = ts.isPropertyAssignment(node) ? node : node.parent;
	return ts.isPropertyAssignment(property) && SHOWN.includes(property.name.getText());
}

function isKey(node: ts.Node): boolean {
	return (
		!ts.isSourceFile(node) && ts.isPropertyAssignment(node.parent) && node.parent.name === node
	);
}

/** @returns all mutants of a built file, in the order of its text */
export function mutantsOf(path: string, code: string): Mutant[] {
	const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
	const lines = code.split('\n');
	const mutants: Mutant[] = [];
	function visit(node: ts.Node): void {
		if (isFixed(node)) return;
		if (!isExport(node) && !isKey(node)) {
			for (const { operator, about, start, end, replacement } of changesOf(node)) {
				const before = code.slice(start, end);
				if (before === 'return undefined;') continue;
				const place = file.getLineAndCharacterOfPosition(about.getStart());
				mutants.push({
					path,
					line: place.line + 1,
					column: place.character,
					text: lines[place.line].trim(),
					start,
					end,
					operator,
					before,
					after: replacement,
					weight: isShown(about) ? WEIGHT_OF_SHOWN : 1,
				});
			}
		}
		ts.forEachChild(node, visit);
	}
	visit(file);
	return mutants;
}

/** @returns the file with the mutant in it */
export function mutated(code: string, { start, end, after }: Mutant): string {
	return code.slice(0, start) + after + code.slice(end);
}
