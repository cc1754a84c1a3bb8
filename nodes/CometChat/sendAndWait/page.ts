import type { IDataObject } from 'n8n-workflow';

import { isFreeText, isChosenIn, type AnswerOption, type Question } from './question';

/** Maximum length of the name that a person enters, in UTF-16 code units. */
export const MAX_RESPONDER_NAME_LENGTH = 100;

/** Maximum length of a comment, in UTF-16 code units. */
export const MAX_COMMENT_LENGTH = 1_000;

const STYLE = `
:root { color-scheme: light dark; --text: #1d2330; --soft: #5b6475; --back: #f3f4f7; --card: #fff; --line: #c9ced9; --main: #4f3cc9; --on: #fff; }
@media (prefers-color-scheme: dark) { :root { --text: #eceef4; --soft: #a3acbf; --back: #12151c; --card: #1c212c; --line: #434c5f; --main: #a99bff; --on: #14112b; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; min-height: 100vh; display: grid; place-items: center; background: var(--back); color: var(--text); font: 1.0625rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 34rem; padding: 1.5rem; border-radius: 1rem; background: var(--card); }
h1, p { overflow-wrap: anywhere; white-space: pre-wrap; }
h1 { margin: 0; font-size: 1.25rem; line-height: 1.4; }
p { margin: .75rem 0 0; color: var(--soft); }
.more { color: inherit; }
form { display: grid; gap: .75rem; margin-top: 1.5rem; }
button, input, textarea { width: 100%; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .6rem; background: transparent; color: inherit; font: inherit; overflow-wrap: anywhere; }
::placeholder { color: var(--soft); opacity: 1; }
button { min-height: 3rem; cursor: pointer; font-weight: 600; }
button.main { border-color: var(--main); background: var(--main); color: var(--on); }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
`;

/**
 * Content security policy, which allows only the page's style and form. The hash is the SHA-256 hash of
 * `STYLE`. Pages repeat the policy in a meta tag, because n8n replaces the header of the page that
 * confirms an answer.
 */
const CONTENT_SECURITY_POLICY =
	"default-src 'none'; style-src 'sha256-q7vnluBHrkggij/tCPoepl9luIISiPQ0sQ5KC4RkPqU='; form-action 'self'; base-uri 'none'";

export const PAGE_HEADERS = {
	'Content-Type': 'text/html; charset=utf-8',
	// Prevents other sites from framing the page and tricking people into clicking
	'Content-Security-Policy': `${CONTENT_SECURITY_POLICY}; frame-ancestors 'none'`,
	'X-Content-Type-Options': 'nosniff',
	// Prevents browsers from sending the URL to other sites, because anyone who has the URL can answer
	'Referrer-Policy': 'no-referrer',
	'Cache-Control': 'no-store',
};

const HTML_ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

const escapeHtml = (text: string): string =>
	text.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? character);

function wrapInPage(title: string, contentHtml: string): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>${contentHtml}</main></body>
</html>`;
}

/** Renders a page with a title and a text, but without a form. */
export function renderNoticePage(title: string, text: string): string {
	return wrapInPage(title, `<h1>${escapeHtml(title)}</h1><p dir="auto">${escapeHtml(text)}</p>`);
}

/**
 * Keeps Enter in an input from submitting the form. Enter presses a form's first submit button, and browsers
 * ignore Enter if that button is disabled.
 *
 * @see https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#implicit-submission
 */
const NO_DEFAULT_BUTTON = '<button disabled hidden></button>';

/**
 * Renders the question with a button per choice, or with a text area for a free-text answer.
 *
 * @param workflowName the workflow's name
 * @param openedLinkQuery query parameters of the link that was opened. The button for the link's choice comes first.
 */
export function renderQuestionPage(
	question: Question,
	workflowName: string,
	openedLinkQuery: IDataObject = {},
): string {
	const { text, choices, asker, askName, askComment } = question;
	const [title = '', ...furtherLines] = text.split('\n');
	const more = furtherLines.join('\n').trim();
	const source = asker === undefined ? '' : `${asker} through `;
	const isLinked = (choice: AnswerOption) => isChosenIn(choice, openedLinkQuery);
	const linkedFirst = choices.toSorted((a, b) => Number(isLinked(b)) - Number(isLinked(a)));
	const buttons = linkedFirst.map((choice, index) => {
		const { approved, answer, label } = choice;
		// Highlight the first button of an approval. For other kinds of questions, highlight the first button only if the
		// button's link was opened
		const isMain = index === 0 && (approved !== undefined || isLinked(choice));
		const value = approved === undefined ? escapeHtml(answer ?? '') : String(approved);
		const name = approved === undefined ? 'answer' : 'approved';
		return `<button dir="auto" name="${name}" value="${value}"${isMain ? ' class="main"' : ''}>${escapeHtml(label)}</button>`;
	});
	const comment = `<textarea name="comment" dir="auto" rows="3" maxlength="${MAX_COMMENT_LENGTH}" placeholder="Comment (optional)" aria-label="Comment (optional)"></textarea>`;
	const textArea = `<textarea name="text" dir="auto" rows="6" required aria-label="Your answer"></textarea><button class="main">Send Answer</button>`;
	const nameInput = `<input name="respondedBy" dir="auto" required pattern=".*\\S.*" maxlength="${MAX_RESPONDER_NAME_LENGTH}" autocomplete="name" enterkeyhint="done" placeholder="Your name" aria-label="Your name">`;
	const offered = [askComment ? comment : '', ...buttons].join('');
	const answer = isFreeText(question) ? textArea : offered;
	return wrapInPage(
		'Your answer is needed',
		[
			`<h1 dir="auto">${escapeHtml(title)}</h1>`,
			more === '' ? '' : `<p class="more" dir="auto">${escapeHtml(more)}</p>`,
			`<p>Asked by ${escapeHtml(source)}the n8n workflow “${escapeHtml(workflowName)}”</p>`,
			`<form method="post">${NO_DEFAULT_BUTTON}${askName ? nameInput : ''}${answer}</form>`,
		].join(''),
	);
}
