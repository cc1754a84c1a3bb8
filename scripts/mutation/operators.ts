import ts from 'typescript';

/** One way to break a node of the syntax tree: what stands between `start` and `end` is replaced. */
export interface Change {
	operator: string;
	/** The node that the change is about: not always all that is replaced. */
	about: ts.Node;
	start: number;
	end: number;
	replacement: string;
}

/** For each binary operator, those that take its place. */
const BINARY: ReadonlyMap<ts.SyntaxKind, string[]> = new Map([
	[ts.SyntaxKind.LessThanToken, ['<=', '>=']],
	[ts.SyntaxKind.LessThanEqualsToken, ['<', '>']],
	[ts.SyntaxKind.GreaterThanToken, ['>=', '<=']],
	[ts.SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
	[ts.SyntaxKind.EqualsEqualsToken, ['!=']],
	[ts.SyntaxKind.ExclamationEqualsToken, ['==']],
	[ts.SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
	[ts.SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
	[ts.SyntaxKind.AmpersandAmpersandToken, ['||']],
	[ts.SyntaxKind.BarBarToken, ['&&']],
	[ts.SyntaxKind.PlusToken, ['-']],
	[ts.SyntaxKind.MinusToken, ['+']],
	[ts.SyntaxKind.AsteriskToken, ['/']],
	[ts.SyntaxKind.SlashToken, ['*']],
	[ts.SyntaxKind.PercentToken, ['*']],
	[ts.SyntaxKind.AsteriskAsteriskToken, ['*']],
	[ts.SyntaxKind.PlusEqualsToken, ['-=', '=']],
	[ts.SyntaxKind.MinusEqualsToken, ['+=', '=']],
	[ts.SyntaxKind.AsteriskEqualsToken, ['/=', '=']],
	[ts.SyntaxKind.QuestionQuestionEqualsToken, ['=']],
	[ts.SyntaxKind.BarBarEqualsToken, ['=']],
]);

/** Methods whose call leaves something to do for the tests: what is called in their place. */
const OTHER_METHOD: Readonly<Record<string, string>> = {
	some: 'every',
	every: 'some',
	min: 'max',
	max: 'min',
	floor: 'ceil',
	ceil: 'floor',
	startsWith: 'endsWith',
	endsWith: 'startsWith',
	flatMap: 'map',
	push: 'unshift',
	unshift: 'push',
	shift: 'pop',
	pop: 'shift',
};

/** Methods without which the value they are called on has the same type, or nearly. */
const DROPPED_METHODS = [
	'filter',
	'map',
	'slice',
	'sort',
	'toSorted',
	'reverse',
	'flat',
	'trim',
	'trimEnd',
	'replace',
	'replaceAll',
	'toLowerCase',
	'toUpperCase',
	'padStart',
];

const isText = (node: ts.Node) =>
	ts.isStringLiteralLike(node) ||
	ts.isTemplateExpression(node) ||
	ts.isRegularExpressionLiteral(node);

function replaced(operator: string, node: ts.Node, replacement: string, about = node): Change {
	return { operator, about, start: node.getStart(), end: node.getEnd(), replacement };
}

function binary(node: ts.BinaryExpression): Change[] {
	const { left, right, operatorToken } = node;
	switch (operatorToken.kind) {
		case ts.SyntaxKind.QuestionQuestionToken:
			return [
				replaced('left of ??', node, `(${left.getText()})`, operatorToken),
				replaced('right of ??', node, `(${right.getText()})`, operatorToken),
			];
		case ts.SyntaxKind.InKeyword:
		case ts.SyntaxKind.InstanceOfKeyword:
			return ['true', 'false'].map((value) => replaced('condition', node, value));
		case ts.SyntaxKind.PlusToken:
			if (isText(left) || isText(right)) return [];
	}
	// Without parentheses "a ?? b && c" is no JavaScript, nor is "a && b || c" with another meaning
	const others = BINARY.get(operatorToken.kind) ?? [];
	return others.map((other) =>
		replaced('operator', node, `(${left.getText()} ${other} ${right.getText()})`, operatorToken),
	);
}

function literal(node: ts.Node): Change[] {
	if (node.kind === ts.SyntaxKind.TrueKeyword) return [replaced('literal', node, 'false')];
	if (node.kind === ts.SyntaxKind.FalseKeyword) return [replaced('literal', node, 'true')];
	if (ts.isNumericLiteral(node)) {
		return [replaced('literal', node, String(Number(node.text) + 1))];
	}
	if (ts.isStringLiteralLike(node)) {
		return [replaced('text', node, node.text === '' ? "'mutated'" : "''")];
	}
	if (ts.isTemplateExpression(node)) return [replaced('text', node, '``')];
	if (ts.isRegularExpressionLiteral(node)) {
		const { text } = node;
		const end = text.lastIndexOf('/');
		const changes: Change[] = [];
		if (text[1] === '^') changes.push(replaced('anchor', node, `/${text.slice(2)}`));
		if (text[end - 1] === '$' && text[end - 2] !== '\\') {
			changes.push(replaced('anchor', node, text.slice(0, end - 1) + text.slice(end)));
		}
		return changes;
	}
	return [];
}

function call(node: ts.CallExpression): Change[] {
	if (!ts.isPropertyAccessExpression(node.expression)) return [];
	const { name, expression: receiver } = node.expression;
	const changes: Change[] = [];
	const other = OTHER_METHOD[name.text];
	if (other !== undefined) changes.push(replaced('method', name, other));
	if (DROPPED_METHODS.includes(name.text)) {
		changes.push(replaced('method', node, `(${receiver.getText()})`, name));
	}
	return changes;
}

function condition(node: ts.Expression): Change[] {
	return ['true', 'false'].map((value) => replaced('condition', node, value));
}

/** The elements of a literal without one of them, and with a spread element and its neighbour swapped. */
function elements(
	node: ts.ObjectLiteralExpression | ts.ArrayLiteralExpression,
	list: ts.NodeArray<ts.Node>,
): Change[] {
	const isObject = ts.isObjectLiteralExpression(node);
	const isSpread = (element: ts.Node) =>
		ts.isSpreadAssignment(element) || ts.isSpreadElement(element);
	const written = (from: ts.Node, to: ts.Node, texts: string[]): Change => ({
		operator: texts.length > 1 ? 'order' : 'element',
		about: from,
		start: from.getStart(),
		end: to.getEnd(),
		// An empty spread holds the place
		replacement: texts.length > 0 ? texts.join(', ') : isObject ? '...{}' : '...[]',
	});
	return list.flatMap((element, index) => {
		const next = list.at(index + 1);
		const changes: Change[] = [];
		if (isObject || isSpread(element)) changes.push(written(element, element, []));
		if (next !== undefined && (isSpread(element) || isSpread(next))) {
			changes.push(written(element, next, [next.getText(), element.getText()]));
		}
		return changes;
	});
}

function withoutOptionalChaining(token: ts.QuestionDotToken): Change {
	const isName =
		ts.isPropertyAccessExpression(token.parent) && token.parent.questionDotToken === token;
	return replaced('optional chaining', token, isName ? '.' : '');
}

function statement(node: ts.Node): Change[] {
	if (ts.isExpressionStatement(node)) {
		const { expression } = node;
		// What is awaited goes, but the moment in which others come to their turn stays
		if (ts.isAwaitExpression(expression)) return [replaced('removal', node, 'await undefined;')];
		return [replaced('removal', node, ';')];
	}
	if (ts.isReturnStatement(node)) {
		const changes = ts.isIfStatement(node.parent) ? [replaced('removal', node, ';')] : [];
		if (node.expression !== undefined) changes.push(replaced('removal', node, 'return;'));
		return changes;
	}
	if (ts.isThrowStatement(node) || ts.isBreakStatement(node) || ts.isContinueStatement(node)) {
		return [replaced('removal', node, ';')];
	}
	return [];
}

/** The ways to break this node itself; its children have their own. */
export function changesOf(node: ts.Node): Change[] {
	const changes = [...literal(node), ...statement(node)];
	if (ts.isBinaryExpression(node)) changes.push(...binary(node));
	if (ts.isCallExpression(node)) changes.push(...call(node));
	if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
		changes.push(replaced('negation', node, `(${node.operand.getText()})`));
	}
	if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
		const operand = node.operand.getText();
		const { operator } = node;
		const isUp = operator === ts.SyntaxKind.PlusPlusToken;
		const isDown = operator === ts.SyntaxKind.MinusMinusToken;
		if (isUp || isDown) changes.push(replaced('operator', node, operand + (isUp ? '--' : '++')));
	}
	if (ts.isConditionalExpression(node)) changes.push(...condition(node.condition));
	if (ts.isIfStatement(node)) changes.push(...condition(node.expression));
	if (ts.isWhileStatement(node)) changes.push(replaced('condition', node.expression, 'false'));
	if (ts.isObjectLiteralExpression(node)) changes.push(...elements(node, node.properties));
	if (ts.isArrayLiteralExpression(node)) changes.push(...elements(node, node.elements));
	if (ts.isQuestionDotToken(node)) changes.push(withoutOptionalChaining(node));
	if (ts.isFunctionLike(node) && 'body' in node && node.body && ts.isBlock(node.body)) {
		if (node.body.statements.length > 0) changes.push(replaced('early return', node.body, '{ }'));
	}
	return changes;
}
