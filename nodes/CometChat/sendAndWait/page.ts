import { countText } from '../errors/words';
import { htmlEscaped } from '../transport/redact';
import type { Question } from './question';

/** Longest answer in writing, in UTF-16 code units. */
export const MAX_ANSWER = 10_000;

/** Longest name that people enter, in UTF-16 code units. */
export const MAX_NAME = 100;

const STYLE = `
:root { color-scheme: light dark; --text: #1d2330; --soft: #5b6475; --back: #f3f4f7; --card: #fff; --line: #c9ced9; --main: #4f3cc9; --on: #fff; --warn: #a3232b; }
@media (prefers-color-scheme: dark) { :root { --text: #eceef4; --soft: #a3acbf; --back: #12151c; --card: #1c212c; --line: #434c5f; --main: #a99bff; --on: #14112b; --warn: #ff9a9f; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; min-height: 100vh; display: grid; place-items: center; background: var(--back); color: var(--text); font: 1.0625rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 34rem; padding: 1.5rem; border-radius: 1rem; background: var(--card); }
h1, p { overflow-wrap: anywhere; white-space: pre-wrap; }
h1 { margin: 0; font-size: 1.25rem; line-height: 1.4; }
p { margin: .75rem 0 0; color: var(--soft); }
.more { color: inherit; }
.warn { color: var(--warn); }
form { display: grid; gap: .75rem; margin-top: 1.5rem; }
button, input, textarea { width: 100%; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .6rem; background: transparent; color: inherit; font: inherit; overflow-wrap: anywhere; }
button { min-height: 3rem; cursor: pointer; font-weight: 600; }
button.main { border-color: var(--main); background: var(--main); color: var(--on); }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
`;

/**
 * What a browser may do with a page: nothing but show it and send its form. The hash is of the style
 * above. It stands in the page too: n8n puts a policy of its own in the header of the last one.
 */
const POLICY =
	"default-src 'none'; style-src 'sha256-/56EWGYyabWkjz5GUFcSvTtjrlIFuZBJfBjD8zV7nyI='; form-action 'self'; base-uri 'none'";

export const HEADERS = {
	'Content-Type': 'text/html; charset=utf-8',
	// In another page's frame a click could be had by deceit
	'Content-Security-Policy': `${POLICY}; frame-ancestors 'none'`,
	'X-Content-Type-Options': 'nosniff',
	// The address is the right to answer
	'Referrer-Policy': 'no-referrer',
	'Cache-Control': 'no-store',
};

function page(title: string, content: string): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${htmlEscaped(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>${content}</main></body>
</html>`;
}

/** A page that only says something, in one sentence or a few. */
export function notePage(title: string, text: string): string {
	return page(title, `<h1>${htmlEscaped(title)}</h1><p dir="auto">${htmlEscaped(text)}</p>`);
}

/** What a question page shows beside the question. */
export interface Shown {
	workflow: string;
	/** The answer of the link that was opened, which comes first */
	approved?: boolean;
	/** Why an answer was not taken, as a sentence */
	refusal?: string;
	/** The answer that was not taken */
	typed?: string;
	/** The name that came with it */
	respondedBy?: string;
}

/** The question with a button for each answer, or with room to write one. */
export function questionPage({ text, offers, asker, askName }: Question, shown: Shown): string {
	const { workflow, approved, refusal, typed = '', respondedBy = '' } = shown;
	const [first, ...more] = text.split('\n');
	const who = asker === undefined ? '' : `${asker} through `;
	const isLinked = (offer: { approved?: boolean }) => offer.approved === approved;
	const buttons = [...offers.filter(isLinked), ...offers.filter((offer) => !isLinked(offer))].map(
		(offer, index) =>
			`<button dir="auto" name="approved" value="${offer.approved}"${index === 0 ? ' class="main"' : ''}>${htmlEscaped(offer.label)}</button>`,
	);
	// A browser drops the first line break of a text area; told of the limit, it would cut a text in silence
	const writing = `<textarea name="text" dir="auto" rows="6" required aria-label="Your answer">\n${htmlEscaped(typed)}</textarea><button class="main">Send Answer</button>`;
	const name = `<input name="respondedBy" dir="auto" required maxlength="${MAX_NAME}" autocomplete="name" placeholder="Your name" aria-label="Your name" value="${htmlEscaped(respondedBy)}">`;
	const isWritten = offers.every((offer) => offer.approved === undefined);
	return page(
		'Your answer is needed',
		[
			`<h1 dir="auto">${htmlEscaped(first)}</h1>`,
			more.length > 0
				? `<p class="more" dir="auto">${htmlEscaped(more.join('\n').trim())}</p>`
				: '',
			`<p>Asked by ${htmlEscaped(who)}the n8n workflow “${htmlEscaped(workflow)}”</p>`,
			refusal === undefined ? '' : `<p class="warn" role="alert">${htmlEscaped(refusal)}</p>`,
			`<form method="post">${askName ? name : ''}${isWritten ? writing : buttons.join('')}</form>`,
		].join(''),
	);
}

export const TOO_LONG = `The answer is longer than ${countText(MAX_ANSWER)} characters. Shorten it and send it again.`;
