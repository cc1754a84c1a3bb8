import type { Browser, Locator, Page, Response } from 'playwright-core';

import { openWindow, type BrowserOptions } from './browser';
import { OWNER } from './client';
import { waitFor } from './processes';

/** Page object for the n8n editor. */
export class EditorPage {
	private constructor(
		readonly page: Page,
		private readonly url: string,
	) {}

	/** Opens a browser window and signs in. */
	static async open(browser: Browser, url: string, options?: BrowserOptions): Promise<EditorPage> {
		const page = await (await openWindow(browser, options)).newPage();
		await page.goto(`${url}/signin`);
		await page.locator('input[name=emailOrLdapLoginId]').fill(OWNER.email);
		await page.locator('input[name=password]').fill(OWNER.password);
		await page.getByTestId('form-submit-button').click();
		await page.waitForURL(/home|workflow/);
		return new EditorPage(page, url);
	}

	async close(): Promise<void> {
		await this.page.close();
	}

	async newWorkflow(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.page.getByTestId('canvas-plus-button').waitFor();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Types into the node panel's search box and returns the results. */
	async searchNodes(text: string): Promise<Locator> {
		await this.page.getByTestId('node-creator-search-bar').fill(text);
		return this.page.getByTestId('item-iterator-item');
	}

	/** Searches the node panel for a phrase, and returns the names of the results once they include the node. */
	async listFound(phrase: string, node: string): Promise<string[]> {
		// n8n briefly shows the previous results, so clear them first
		const previous = await this.searchNodes('no such node');
		await previous.first().waitFor({ state: 'detached' });
		const found = await this.searchNodes(phrase);
		const row = found.filter({ has: this.page.getByText(node, { exact: true }) }).first();
		await row.waitFor({ timeout: 5_000 }).catch(() => undefined);
		return (await found.allInnerTexts()).map((text) => text.trim().replace(/\n[^]*/, ''));
	}

	/** Opens the node panel. Requires an empty canvas. */
	async openNodeCreator(): Promise<void> {
		await this.page.getByTestId('canvas-plus-button').click();
		await this.page.getByTestId('node-creator-search-bar').waitFor();
	}

	async closeNodeCreator(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.page.getByTestId('node-creator-search-bar').waitFor({ state: 'hidden' });
	}

	/** Opens the CometChat node's list of actions in the node panel. Requires an empty canvas. */
	async showActions(): Promise<Locator> {
		await this.openNodeCreator();
		const found = await this.searchNodes('cometchat');
		await found.filter({ hasText: 'CometChat' }).first().click();
		// On an empty canvas, n8n expands the triggers and collapses the actions
		await this.page.getByText(/^Actions \(\d+\)$/).click();
		const actions = this.page.getByTestId('item-iterator-item');
		await actions.filter({ hasText: 'Get message' }).waitFor();
		return actions;
	}

	/** Adds an action of the CometChat node to the canvas and opens the new node. */
	async addAction(action: string): Promise<void> {
		const actions = await this.showActions();
		await actions.filter({ has: this.page.getByText(action, { exact: true }) }).click();
		await this.ndv.waitFor();
	}

	/** Opens a node on the canvas. */
	async openNode(name: string): Promise<void> {
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		await this.ndv.waitFor();
	}

	/** ID of the open workflow. */
	get workflowId(): string {
		return /workflow\/([^/?]+)/.exec(this.page.url())?.[1] ?? '';
	}

	/** The open node's panel, which n8n calls the node details view (NDV). */
	get ndv(): Locator {
		return this.page.getByTestId('ndv');
	}

	get output(): Locator {
		return this.page.getByTestId('output-panel');
	}

	/** Locates a field in the open node by its parameter name. */
	field(name: string): Locator {
		return this.page.getByTestId(`parameter-input-${name}`);
	}

	async fill(name: string, value: string): Promise<void> {
		const input = this.field(name).locator('input, textarea').first();
		await this.enter(input, value);
	}

	/** Types a value and waits until n8n has saved it in the node. */
	private async enter(input: Locator, value: string): Promise<void> {
		await input.fill(value);
		await input.blur();
		await this.page.waitForFunction(
			(text) => {
				const app = Object(globalThis).document.querySelector('#app').__vue_app__;
				const stores = [...app.config.globalProperties.$pinia._s.values()];
				return stores.some(({ activeNode }) =>
					JSON.stringify(activeNode?.parameters)?.includes(text),
				);
			},
			JSON.stringify(value).slice(1, -1),
		);
	}

	/** The entries of the open drop-down list, and of a list that is fading out. */
	private get entries(): Locator {
		return this.page.locator('.el-select-dropdown__item:visible');
	}

	/** Selects an entry in the open drop-down list. */
	async pick(entry: string): Promise<void> {
		await this.entries
			.filter({ has: this.page.getByText(entry, { exact: true }) })
			.first()
			.click();
	}

	/** Selects an entry in a drop-down field, unless it's already selected. */
	async choose(name: string, entry: string): Promise<void> {
		const input = this.field(name).locator('input').first();
		if ((await input.inputValue()) === entry) return;
		await input.click();
		await this.pick(entry);
	}

	/** Opens a drop-down list after any other list has closed, and waits for its entries. */
	private async openEntries(opener: Locator): Promise<void> {
		await this.entries.first().waitFor({ state: 'hidden' });
		await opener.click();
		await this.entries.first().waitFor();
	}

	/** Opens a drop-down field whose entries n8n loads, waits for the entry, and returns all entries' texts. */
	async openLoaded(name: string, entry?: string): Promise<string[]> {
		await this.field(name).locator('input:enabled').first().waitFor();
		// Chosen entries cover the middle of the field
		await this.openEntries(this.field(name).locator('.el-input__suffix').first());
		await this.entries.filter({ hasText: entry }).first().waitFor();
		return (await this.entries.allInnerTexts()).map((text) => text.trim());
	}

	/** Selects the open node's resource and operation. */
	async chooseOperation(resource: string, operation: string): Promise<void> {
		await this.choose('resource', resource);
		await this.choose('operation', operation);
	}

	/** Opens a collection's menu by clicking its button, e.g. "Add Filter". */
	async openMenu(button: string): Promise<Locator> {
		const collection = this.ndv
			.getByTestId('collection-parameter-add')
			.filter({ has: this.page.locator(`input[placeholder="${button}"]`), visible: true });
		await this.openEntries(collection.locator('input'));
		return this.entries;
	}

	/** Clicks a collection's button and adds an entry from its menu. */
	async addTo(button: string, entry: string): Promise<void> {
		await this.openMenu(button);
		await this.pick(entry);
	}

	/** Clicks the button of a collection with a single entry, which has no menu. */
	async addOnly(button: string): Promise<void> {
		const add = this.ndv.getByTestId('collection-parameter-add');
		await add.filter({ hasText: button, visible: true }).click();
	}

	/** Switches the open node to the Parameters or Settings tab. */
	async openTab(name: 'params' | 'settings'): Promise<void> {
		await this.ndv.getByTestId(`tab-${name}`).click();
	}

	/** Returns the labels of the open node's visible fields, from top to bottom. */
	async readLabels(): Promise<string[]> {
		const texts = await this.ndv
			.getByTestId('node-parameters')
			.getByTestId('input-label')
			.filter({ visible: true })
			.allInnerTexts();
		return texts.map((text) => text.replace(/\n.*/s, '').trim()).filter((text) => text !== '');
	}

	/** Locates the resource locator field with the given parameter name. */
	locator(name: string): Locator {
		return this.page.getByTestId(`resource-locator-${name}`);
	}

	private async chooseMode(name: string, mode: 'From list' | 'By ID'): Promise<void> {
		const input = this.locator(name).getByTestId('rlc-mode-selector').locator('input');
		if ((await input.inputValue()) === mode) return;
		await input.click();
		await this.pick(mode);
	}

	/** Enters an ID into a resource locator. An empty string clears the field. */
	async fillId(name: string, id: string): Promise<void> {
		await this.chooseMode(name, 'By ID');
		await this.enter(this.locator(name).getByTestId('rlc-input'), id);
	}

	/** Opens a resource locator's list, waits for entries or an error to appear, and returns the entries. */
	async openList(name: string): Promise<Locator> {
		await this.chooseMode(name, 'From list');
		await this.locator(name).getByTestId('rlc-input').click();
		await this.page
			.locator('[data-test-id="rlc-item"]:visible, [data-test-id="rlc-error-container"]:visible')
			.first()
			.waitFor();
		return this.page.getByTestId('rlc-item').filter({ visible: true });
	}

	/** Searches the open list, waits until the results contain the entry, and returns all results. */
	async searchList(text: string, entry: string): Promise<Locator> {
		await this.page.getByTestId('rlc-search').fill(text);
		const entries = this.page.getByTestId('rlc-item').filter({ visible: true });
		await entries
			.filter({ hasNotText: new RegExp(text, 'i') })
			.first()
			.waitFor({ state: 'detached' });
		await entries.filter({ hasText: entry }).waitFor();
		return entries;
	}

	/** Searches a resource locator's list and selects an entry, e.g. "Lantern Makers (makers)". */
	async pickFromList(name: string, text: string, entry: string): Promise<void> {
		await this.openList(name);
		const entries = await this.searchList(text, entry);
		await entries.filter({ hasText: entry }).click();
	}

	/** Clicks the button of a multi-value field and types the new value. */
	async addValue(button: string, placeholder: string, value: string): Promise<void> {
		await this.ndv.getByRole('button', { name: button }).click();
		await this.enter(this.ndv.getByPlaceholder(placeholder, { exact: true }).last(), value);
	}

	/** Types into a field with a code editor, e.g. for JSON or an expression. */
	async write(name: string, text: string): Promise<void> {
		await this.enter(this.field(name).locator('.cm-content'), text);
	}

	/** Locates the fields of earlier nodes, which the open node's input panel lists. */
	get inputFields(): Locator {
		return this.ndv.getByTestId('run-data-schema-node-name');
	}

	/** Drags a field of the input panel into an input of the open node. */
	async drag(from: string, target: Locator): Promise<void> {
		const field = this.inputFields.filter({ has: this.page.getByText(from, { exact: true }) });
		await field.first().hover();
		await this.page.mouse.down();
		await target.hover();
		await this.page.mouse.up();
		await this.ndv.getByText(`$json.${from}`).first().waitFor();
	}

	/** Waits for the execution that n8n's response refers to. */
	private async waitForEnd(response: Response): Promise<void> {
		if (!response.ok()) throw new Error(`n8n did not start: ${await response.text()}`);
		const { data } = (await response.json()) as { data: { executionId: string } };
		// n8n ties a session to the browser ID used at sign-in
		const { 'browser-id': browserId = '' } = response.request().headers();
		await waitFor('The end of the execution', async () => {
			const path = `${this.url}/rest/executions/${data.executionId}`;
			const headers = { 'browser-id': browserId };
			const answer = await this.page.request.get(path, { headers });
			const execution = (await answer.json()) as { data?: { stoppedAt?: string } };
			return Boolean(execution.data?.stoppedAt);
		});
	}

	/** Runs the open node and waits for its output. */
	async execute(): Promise<void> {
		const started = this.page.waitForResponse((response) =>
			/\/rest\/workflows\/[^/]+\/run/.test(response.url()),
		);
		await this.page.getByTestId('node-execute-button').click();
		await this.waitForEnd(await started); // n8n clears the previous output when a run starts
		await this.output
			.locator(
				'[data-test-id="ndv-items-count"], [data-test-id="node-error-message"], [data-test-id="ndv-data-container"]',
			)
			.first()
			.waitFor();
	}

	/** Returns the output table's column names and cell texts. */
	async readTable(): Promise<{ columns: string[]; rows: string[][] }> {
		const table = this.output.locator('table');
		await table.locator('tbody tr').first().waitFor();
		const columns = (await table.locator('thead th').allInnerTexts()).filter(Boolean);
		const rows: string[][] = [];
		for (const row of await table.locator('tbody tr').all()) {
			const cells = await row.locator('td').allInnerTexts();
			rows.push(cells.slice(0, columns.length).map((cell) => cell.trim()));
		}
		return { columns, rows };
	}

	/** Selects a saved credential for the open node. */
	async chooseCredential(name: string): Promise<void> {
		await this.page.getByTestId('node-credentials-select').first().click();
		await this.pick(name);
	}

	async closeNode(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.ndv.waitFor({ state: 'hidden' });
	}
}
